// Package agents stands between the loop and a language model: it turns a brief
// into a prompt, and a model's answer into an edit plan, the list of file
// contents to write. It touches no file and runs nothing.
package agents
