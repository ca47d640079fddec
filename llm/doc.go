// Package llm makes one request to one language model and gets one whole
// answer back, or one typed error that says what was seen and what to do next.
//
// Its words:
//
//   - A [Request] is a labelled list of messages for a model. The label
//     ("step 4 tester edit attempt 1") names it for people, recordings and
//     relay files, and also stands in the text of the prompt.
//   - A [Client] completes requests. [Live] asks an OpenAI-compatible
//     [Endpoint] over HTTP; [Replayer] answers from a [Cassette]; [Relay] puts
//     each request into a file and waits for a person or another program to
//     put the answer into another.
//   - Wrappers are clients too: [Recorder] writes what it sees into a cassette,
//     [Budgeted] refuses to ask once a [Budget] is used up.
//   - An [Error] has a [Kind], so that callers decide by kind and never by text.
//
// An answer is whole or it is an error: one that was cut off, by the network
// or by the model's own limit, is never handed on as if it were complete.
// An API key goes into one HTTP header and nowhere else: not into errors, not
// into recordings, not to another host by way of a redirect.
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
//	var failure *llm.Error
//	if errors.As(err, &failure) && failure.Kind == llm.KindAuth {
//		// the key is missing or wrong
//	}
package llm
