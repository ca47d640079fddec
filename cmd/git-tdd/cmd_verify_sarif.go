package main

import (
	"cmp"
	"slices"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/verify"
)

// sarifLog is a report as a SARIF 2.1.0 log, with a result for each finding.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string    `json:"id"`
	Full sarifText `json:"fullDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string            `json:"ruleId"`
	Level     string            `json:"level"`
	Message   sarifText         `json:"message"`
	Locations []sarifLocation   `json:"locations"`
	Prints    map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

func sarif(r verify.Report) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "git-tdd", Version: programVersion()}
	for _, g := range gates.All() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: g.Name, Full: sarifText{g.Doc}})
	}
	for _, proof := range r.Commits {
		for _, f := range slices.Concat(proof.Findings, proof.Notes) {
			run.Results = append(run.Results, sarifOf(proof, f))
		}
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifOf(proof verify.Proof, f gates.Finding) sarifResult {
	result := sarifResult{
		Rule: f.Gate, Level: level(f), Message: sarifText{title(proof) + "\n" + clean.Text(f.String())},
		Prints: map[string]string{"commit/v1": string(proof.Commit)},
	}
	// GitHub rejects results without a file and a line.
	file := cmp.Or(f.Path, proof.Places[f.Test], proof.Places[""], config.FileName)
	result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{file}, sarifRegion{max(f.Line, 1)}}}}
	return result
}
