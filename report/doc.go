// Package report draws a history as one HTML page that stands by itself: tokens by role,
// refused attempts and why, criteria, and each commit with its plan, diff, findings and
// evidence to open. It has no script and fetches nothing.
// [EvidencePage] draws what was found out about a change in the same style: the
// verdict, its tests and gaps, and the diff with all of them at their lines.
//
// A page is made in two parts. [Read] gathers what is known of some commits:
// from their trailers, from the refs that keep refused attempts, and from facts
// on record. It runs no command of the repository and measures nothing. The
// verdicts of [verify.Run] can be added.
//
//	history, err := report.Read(ctx, report.Options{Repo: repo, Checker: checker, Commits: ids})
//	page := report.Page(history)
//
// Whatever comes from the repository is hostile text. Three things hold it: html/template
// escapes every value where it stands, [clean.Text] escapes what would deceive a
// reader in the finished page, and the page's own Content-Security-Policy lets
// neither scripts nor other styles than its own count. The same history makes
// the same page, byte for byte.
//
// A page of 1,000 steps has less than 5 MB: half of a page is shared out evenly among the
// texts that can be opened, and what is longer than its share is cut.
package report
