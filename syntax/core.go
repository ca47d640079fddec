package syntax

import "github.com/git-tdd/git-tdd/internal/lazyregexp"

// Wrapping is what may stand around a value that only borrows it, or gives it another type:
// [Wrapping.Core] is a [Values.Core].
type Wrapping struct {
	Before   []string               // signs before it, as & and *
	Behind   []string               // signs behind it, as !
	Types    []string               // what stands between it and its type, as the word as
	Brackets bool                   // brackets around it
	Cast     func(text string) bool // what stands in brackets before it; nil if nothing does
	Converts func(name string) bool // the methods that are called without arguments; nil if none are
}

// Core is an expression without all of that, and without what takes all of a slice.
func (w Wrapping) Core(t *Tree, e Expr) Expr {
	for was := (Expr{}); e != was && !e.Empty(); {
		was = e
		cut, method := t.Find(e, w.Types...), e.To-3
		switch {
		case t.Is(e.From, w.Before...):
			e.From++
		case cut > e.From && cut < e.To:
			e.To = cut
		case t.Is(e.To-1, w.Behind...):
			e.To--
		case w.Brackets && t.Whole(e) && t.Is(e.From, "("):
			e = t.Inside(e.From)
		case w.Cast != nil && t.Is(e.From, "(") && t.Group(e.From) < e.To && t.Named(e.From+1) && w.Cast(t.Source(t.Inside(e.From))):
			e.From = t.Group(e.From)
		case w.Converts != nil && method-1 > e.From && t.Is(method-1, ".") && t.Is(e.To-2, "(") && t.Is(e.To-1, ")") && w.Converts(t.Word(method)):
			e.To = method - 1
		case method > e.From && t.Is(method, "[") && t.Is(e.To-2, "..") && t.Is(e.To-1, "]"):
			e.To = method
		}
	}
	return e
}

// MadeBy is [Values.Makes] for a language in which what makes a value stands before the
// bracket: plainly matches that, with the bracket, if it only puts values together, loosely
// if it is any constructor.
func MadeBy(plainly, loosely lazyregexp.Regexp) func(t *Tree, e Expr, how Making) ([]Expr, bool) {
	return func(t *Tree, e Expr, how Making) ([]Expr, bool) {
		open := t.Opening(e.To - 1)
		if open <= e.From || open == e.To-1 {
			return nil, false
		}
		maker := t.Source(Expr{e.From, open + 1})
		return t.Args(open), plainly.MatchString(maker) || how == Loosely && loosely.MatchString(maker)
	}
}
