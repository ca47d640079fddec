//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"os/exec"
)

// waited sorts the error of exec.Cmd.Wait: that a process failed, was killed
// or left a pipe open is no failure of the box.
func waited(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
