// Command bench measures what git-tdd itself costs, beside named baselines in
// the same run:
//
//	go run ./bench            all of it
//	go run ./bench prompt     tokens of a prompt in 50,000 files against 50, and in the demo, where it begins with the one before
//	go run ./bench status     status against git log -1 in 100,000 commits
//	go run ./bench memory     peak memory of a step
//	go run ./bench verify     a cold verify (gates.evidence: off) against git rebase --exec, and a cached one of 1,000 commits
//	go run ./bench evidence   green steps and a cold verify, with gates.evidence full against off
//	go run ./bench warm       a measurement after one change against the plain runner, by runner
//	go run ./bench warm-maven one of them; what the machine lacks for it is said and is no failure
//	go run ./bench commits    a person's commits of red, green and refactoring against the plain runner, by runner
//
// What hooks cost beside those of other tools is measured by bench/hooks.sh,
// with hyperfine.
//
// Figures are medians. The machine decides the absolute ones; read the ratios.
package main
