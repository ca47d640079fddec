// Package projecttest helps tests that need a project of their own: [Project] writes one,
// [Measure] and [Cover] run its commands for real, and [Tests], [Diagnostics] and
// [Coverage] write what they show as texts, which [Want] compares.
package projecttest
