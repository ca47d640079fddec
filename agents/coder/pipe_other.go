//go:build !unix

package coder

import (
	"errors"
	"os"
)

// openPipe fails: boxes have no input on this system.
func openPipe(string) (*os.File, error) {
	return nil, errors.New("agents that speak the Agent Client Protocol cannot be started on this system")
}
