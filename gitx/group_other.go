//go:build !unix

package gitx

import "os/exec"

func ownGroup(*exec.Cmd) {}
