package journal

import "github.com/git-tdd/git-tdd/testrun"

// Unheard is [ByExitCode].
func Unheard(end testrun.Ended, marks ...string) testrun.Verdict { return ByExitCode(end, marks...) }

// Silent is [NoReport].
func Silent(end testrun.Ended, missing ...string) testrun.Verdict { return NoReport(end, missing...) }

// Refused is [Journal.LoadFailed].
func (j *Journal) Refused(why Event) { j.LoadFailed(why) }
