// Package commitmsg turns the text of a commit message into its parts and
// back: a conventional header, body sections, and git trailers in their order.
// It is pure: text in, values out.
//
// # The words
//
// The subject is the first line. If it has the form of the Conventional Commits
// specification, "type(scope)!: summary", it can be read as a [Header]. A
// [Section] is a line that ends in a colon with a list below it. A [Trailer] is
// one "Key: value" of the last paragraph.
//
//	test(calculator): sum two numbers     the subject
//
//	Rationale:                            a section with one item
//	- the kata asks for sums
//
//	Tdd-Step: 4                           two trailers
//	Tdd-Role: tester
//
// # Which lines are trailers
//
// Tdd-trailers carry the state of a whole project, so only one opinion counts
// about what a trailer is: git's. [Parse] finds what "git
// interpret-trailers --parse --no-divider" prints under an empty configuration,
// for every text. In particular, the first paragraph never contains trailers;
// one line of prose spoils the last paragraph, unless git itself wrote into it
// and a quarter of it is trailers; and an indented line continues the trailer
// above it. A "Tdd-Role: tester" anywhere else is prose, and [Message.Check]
// refuses it so that nobody who reads the log is deceived.
//
// # Reading and writing
//
//	m := commitmsg.Parse(text)           // any text is a message
//	role, ok := m.Get("Tdd-Role")        // the last one counts
//	header, err := commitmsg.ParseHeader(m.Subject)
//
//	m = commitmsg.Message{
//		Subject:  commitmsg.Header{Type: "test", Summary: "sum two numbers"}.String(),
//		Sections: []commitmsg.Section{{Title: "Rationale", Items: []string{"the kata asks for sums"}}},
//		Trailers: []commitmsg.Trailer{{Key: "Tdd-Step", Value: "4"}},
//	}
//	text = m.String()
//
// A message that a person wrote is never rewritten; [AppendTrailers] adds to it.
package commitmsg
