package csyntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// Sense is what a condition must be for a test to pass.
type Sense bool

// Decided alters what a condition expects, so that it is met, or is not.
func (c *Code) Decided(e Expr, met Sense) []testrun.Edit {
	for _, mark := range []string{"||", "&&"} {
		if parts := c.Split(e, mark); len(parts) > 1 {
			var edits []testrun.Edit
			for _, p := range parts {
				edits = append(edits, c.Decided(p, met)...)
			}
			return edits
		}
	}
	for mark, holds := range map[string]Sense{"==": true, "!=": false} {
		if sides := c.Split(e, mark); len(sides) == 2 && met == holds {
			return c.One(sides)
		} else if len(sides) == 2 {
			return nil
		}
	}
	for c.Is(e.From, "!") {
		e.From++
		met = !met
	}
	switch {
	case c.Whole(e):
		return c.Decided(Expr{e.From + 1, e.To - 1}, met)
	case !bool(met):
		return nil
	}
	return c.asked(e)
}

// asked alters what the last call of an expression is asked for.
func (c *Code) asked(e Expr) []testrun.Edit {
	for i := e.From; i < e.To; i = c.Group(i) {
		if c.Is(i, "(") && c.Group(i) == e.To && slices.Contains([]string{
			"equals", "contains", "startsWith", "endsWith", "equalsIgnoreCase", "matches", "containsKey", "containsValue", "starts_with", "ends_with",
		}, c.Word(i-1)) {
			return c.One(c.Split(c.Inside(i), ","))
		}
	}
	return nil
}

// One alters the last of some values that is written out. One that a constructor
// makes comes after those that are plain.
func (c *Code) One(values []Expr) []testrun.Edit {
	for _, alter := range []func(Expr) []testrun.Edit{c.Altered, c.made} {
		for _, e := range slices.Backward(values) {
			if edits := alter(e); edits != nil {
				return edits
			}
		}
	}
	return nil
}

// Altered is another value than one that is written out: in place, or in the only
// place where a name gets it.
func (c *Code) Altered(e Expr) []testrun.Edit {
	for e.From < e.To && slices.Contains([]string{"-", "+", "&"}, c.Word(e.From)) {
		e.From++
	}
	switch {
	case e.From >= e.To:
		return nil
	case e.To == e.From+1 && c.Literal(e.From):
		return []testrun.Edit{c.Replace(e, another(c.Word(e.From)))}
	case e.To == e.From+1:
		return c.named(e.From)
	case c.Is(e.From, "(") && c.Group(e.From) < e.To && c.cast(e.From):
		return c.Altered(Expr{c.Group(e.From), e.To})
	case c.Whole(e):
		return c.Element(Expr{e.From + 1, e.To - 1})
	case c.Is(e.From, "new") && c.Is(e.To-1, "}"), c.listed(e):
		return c.Element(c.Inside(c.lastOpen(e)))
	}
	for _, mark := range []string{"+", "-", "*"} {
		if parts := c.Split(e, mark); len(parts) > 1 {
			return c.Altered(parts[0])
		}
	}
	return nil
}

// What is read as the name of a type in a cast, as what puts values together, and as
// the name of a type before a list in braces.
var (
	castPattern = lazyregexp.New(`^[\w.:<>\[\] *&]+$`)
	madePattern = lazyregexp.New(`^(?:java\.util\.)?(?:(?:List|Set|Map|Optional|Arrays|Stream|Collections|Integer|Long|Double|Float|Short|Byte|Character|String|Boolean|BigDecimal|BigInteger|Duration|ImmutableList|ImmutableSet|ImmutableMap|Lists|Sets)\.(?:of|asList|valueOf|singletonList|singleton|ofNullable|entry|ofMillis|ofSeconds|ofEntries|newArrayList|newHashSet|copyOf)|std::(?:string|string_view|vector|array|make_pair|make_tuple|make_optional|optional|pair|tuple)(?:<.*>)?|static_cast<.*>|string|size_t|int|long|char|double|float|unsigned|uint\d+_t|int\d+_t|absl::StrCat|QString|entry)$`)
	typePattern = lazyregexp.New(`^[\w:.<>, *&\[\]]+$`)
)

// cast reports whether a group holds the name of a type.
func (c *Code) cast(i int) bool {
	inside := c.Inside(i)
	return inside.To > inside.From && castPattern.MatchString(c.Source(inside)) && c.Named(inside.From)
}

// lastOpen is the place of the bracket that opens the group at the end of an
// expression.
func (c *Code) lastOpen(e Expr) int {
	for i := e.From; i < e.To; i = c.Group(i) {
		if c.Opens(i) && c.Group(i) == e.To {
			return i
		}
	}
	return e.To
}

// listed reports whether an expression only puts values together, or gives one
// another type.
func (c *Code) listed(e Expr) bool {
	open := c.lastOpen(e)
	if open == e.From || open >= e.To {
		return false
	}
	if c.Is(open, "{") {
		return c.names(Expr{e.From, open})
	}
	name := c.Source(Expr{e.From, open})
	return madePattern.MatchString(name)
}

// names reports whether an expression holds nothing but the name of a type.
func (c *Code) names(e Expr) bool {
	return typePattern.MatchString(c.Source(e))
}

// made alters what a constructor gets: new Point(1, 2), Version(1, 2).
func (c *Code) made(e Expr) []testrun.Edit {
	if c.Is(e.From, "new") {
		e.From++
	}
	open := c.lastOpen(e)
	name := open - 1
	if open >= e.To || open == e.From || !c.Is(open, "(") {
		return nil
	}
	if c.Is(name, ">") || !unicode.IsUpper([]rune(c.Word(name) + " ")[0]) {
		return nil
	}
	if !c.names(Expr{e.From, open}) {
		return nil
	}
	return c.Element(c.Inside(open))
}

// Element alters the first of several values that is written out. A name counts
// only where there is no other.
func (c *Code) Element(inner Expr) []testrun.Edit {
	parts := c.Split(inner, ",")
	for _, e := range parts {
		if c.Is(e.From, ".") && c.Is(e.From+2, "=") {
			e.From += 3 // .x = 1
		}
		plain := c.Literal(e.From) || c.Is(e.From, "true") || c.Is(e.From, "false")
		if e.To == e.From+1 && !plain && len(parts) > 1 {
			continue
		}
		if edits := c.Altered(e); edits != nil {
			return edits
		}
	}
	return nil
}

// Literals alters the first literal that stands in an expression, however deep.
func (c *Code) Literals(e Expr) []testrun.Edit {
	for i := e.From; i < e.To; i++ {
		if c.Literal(i) || c.Is(i, "true") || c.Is(i, "false") {
			return c.Altered(Expr{i, i + 1})
		}
	}
	return nil
}

// far is how many names are followed, one to the next.
const far = 2

// named alters what a name stands for: one value, or the column of a table.
func (c *Code) named(i int) []testrun.Edit {
	switch name := c.Word(i); {
	case name == "true":
		return []testrun.Edit{c.Replace(Expr{i, i + 1}, "false")}
	case name == "false":
		return []testrun.Edit{c.Replace(Expr{i, i + 1}, "true")}
	case c.followed == far:
		return nil
	default:
		c.followed++
		defer func() { c.followed-- }()
		var edits []testrun.Edit
		for _, e := range c.Values[name] {
			edits = append(edits, c.Altered(e)...)
		}
		return edits
	}
}

// another is the text of another literal of the same type.
func another(old string) string {
	switch {
	case strings.HasSuffix(old, `"""`):
		return strings.TrimSuffix(old, `"""`) + `~tdd"""`
	case strings.Contains(old, `R"`): // of C++: what ends it is its own
		end := strings.LastIndexByte(old, ')')
		return old[:max(end, 0)] + "~tdd" + old[max(end, 0):]
	case strings.HasSuffix(old, `"`):
		return old[:len(old)-1] + `~tdd"`
	case strings.HasSuffix(old, "'"):
		if strings.Contains(old, "~") {
			return "'#'"
		}
		return old[:strings.IndexByte(old, '\'')] + "'~'"
	}
	return anotherNumber(old)
}

var numberPattern = lazyregexp.New(`^(0[xX][\da-fA-F_']+?|0[bB][01_']+|[\d_']+)([uUlLzZ]*)$`)

// anotherNumber is a number of the same type that is far away. It fits whatever
// type the old one fits.
func anotherNumber(old string) string {
	const step, limit = 41, 127 - 41
	hit := numberPattern.FindStringSubmatch(old)
	if hit == nil || strings.ContainsAny(old, ".") {
		digits := strings.TrimRight(old, "fFdDlL")
		v, err := strconv.ParseFloat(strings.NewReplacer("_", "", "'", "").Replace(digits), 64)
		if err != nil || v > 1e30 {
			v = 0
		}
		text := strconv.FormatFloat(v*3+41.5, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text + old[len(digits):]
	}
	v, err := strconv.ParseUint(strings.NewReplacer("_", "", "'", "").Replace(hit[1]), 0, 64)
	switch {
	case err != nil:
		v = step
	case v <= limit:
		v += step
	default:
		v -= step
	}
	return strconv.FormatUint(v, 10) + hit[2]
}
