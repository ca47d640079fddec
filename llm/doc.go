// Package llm makes one request to one language model and returns one whole
// answer, or one typed error that says what was seen and what to do next.
//
// Its words:
//
//   - A [Request] is a labelled list of messages for a model. The label ("step
//     4 tester edit attempt 1") names it for people, recordings and relay
//     files, and is also part of the prompt.
//   - A [Client] completes requests. [Live] asks an OpenAI-compatible
//     [Endpoint] over HTTP; [Replayer] answers from a [Cassette]; [Relay]
//     writes each request to a file and waits for a person or another program
//     to write the answer to another.
//   - Wrappers are clients too: [Recorder] writes what it sees to a cassette,
//     [Budgeted] refuses to ask once a [Budget] is used up.
//   - An [Error] has a [Kind], so that callers never have to look at its text.
//
// An answer is whole or it is an error: one that was cut off, by the network or
// by the model's own limit, is never returned as if it were complete. An API
// key is sent in one HTTP header and goes nowhere else: not into errors, not
// into recordings, not to another host through a redirect.
//
//	client := llm.NewLive(llm.LiveOptions{
//		Endpoint: llm.Endpoint{Name: "local", BaseURL: "http://localhost:11434/v1"},
//		Timeout:  2 * time.Minute,
//	})
//	answer, err := client.Complete(ctx, llm.Request{
//		Label:    "step 1 tester plan",
//		Model:    "qwen2.5-coder:7b",
//		Messages: []llm.Message{{Role: "user", Content: "step 1 tester plan: …"}},
//	})
package llm
