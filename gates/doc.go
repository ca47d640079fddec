// Package gates is the rulebook: pure functions from a case to findings.
//
// A case is everything that a judgement may depend on: who makes the step, the
// facts of the tree before and after, what changed, the message, the position
// in the history, and the policy. A gate is a documented value, like an
// analyzer of go vet: a name, what it demands and why, and a function. Gates
// read nothing but the case, so the loop, the hooks and verify get the same
// answer from the same inputs.
//
// # Words
//
//   - Facts: what the project's own commands show about one git tree.
//   - Red, green, refactor: the phases of a cycle; tester, implementor and
//     refactorer make the steps.
//   - Class: why a test failed. Some classes are right reasons for a red.
//   - Position: the nearest commit that takes a step; its trailers are claims,
//     and facts outrank claims.
//   - Case: what a judgement may depend on, in the order in which it becomes
//     known: Premise (what is said and changed, and what was there before),
//     Measured (what the tests show), Worth (what they are worth). What a gate
//     says of the premise alone is asked before anything is measured.
//   - Finding: one reason to refuse, with what was seen and what to do next.
//
// # Example
//
//	c := &gates.Case{
//		Premise:  gates.Premise{Role: gates.Tester, Plays: gates.Tester, Before: before, …},
//		Measured: gates.Measured{After: after},
//	}
//	if v := gates.Judge(c); !v.Accepted() {
//		for _, f := range v.Findings {
//			fmt.Fprintln(w, f)
//		}
//	}
package gates
