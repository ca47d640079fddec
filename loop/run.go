package loop

import "context"

// Run takes up to the given number of role steps and returns those that landed. A
// *StopError says why it ended earlier; after the last step the error is nil.
func (l *Loop) Run(ctx context.Context, steps int) ([]Accepted, error) {
	var done []Accepted
	for len(done) < steps || l.rest != nil {
		a, err := l.Step(ctx)
		if err != nil {
			return done, err
		}
		done = append(done, a)
	}
	return done, nil
}
