// Package agents stands between the loop and a language model. It turns a brief
// into a prompt, a model's answer into an edit plan, and the results of a step
// into the words of its commit. It touches no files, runs nothing and trusts
// nothing: what a model proposes is written, measured and judged elsewhere.
//
// Its words:
//
//   - A [Brief] is everything that a role may be shown. [Brief.Narrow] removes what it must
//     not know in isolation, and a prompt that contains withheld text nevertheless fails with
//     [ErrLeak].
//   - A step is one conversation of [Turn] values. [Ask] makes the [Prompt] of the last one: a
//     system message with the form of the answer, a user message with the material, the role's
//     rules and the task, and then answers and what came of them in turn. Each prompt begins
//     with the one before it. A model is asked for an [EditPlan]. The texts are templates in
//     prompts/, one for each role and one for all.
//   - Material – the kata, code, output of tests, commit messages – was written
//     by others. It stands between fences that it cannot forge, and the control
//     tokens of chat templates in it are broken up.
//   - [ParseEditPlan] reads an answer; [CheckPaths] says which of its paths
//     must not be written. Both return findings, worded for the model
//     that has to repair its answer.
//   - A planner is shown the kata and the code ([Architect]) and answers with the texts
//     of a [Plan].
//   - A reviewer is asked about a change ([Reviewing]); of its [Review] those points
//     count whose [Evidence] is there.
//   - [Subject] and [Sections] word the commit: the model gives reasons, the
//     change and the facts give the rest.
//
// Of an answer a code fence around the plan, prose or a block of reasoning before or
// after it, trailing commas and a missing commit are tolerated. [Whole] turns edits that
// append or replace into whole files.
package agents
