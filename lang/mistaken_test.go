package lang_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/syntax"
)

// made lists what becomes of a source in a language with each small error in its words.
func made(t *testing.T, language, source string) (out []string) {
	t.Helper()
	for _, l := range lang.All() {
		if l.Name == language {
			for _, m := range l.Syntax.Mutants(source) {
				out = append(out, syntax.Apply(source, []syntax.Edit{m.Edit}))
			}
		}
	}
	return out
}

// What sorts as equal comes the other way round, where a part of it decides; and a name is
// mixed up with one that reads nearly like it.
func TestMistaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, source, want string }{
		{"python", "def f(rows):\n    return sorted(rows, key=lambda r: r.age)\n", "sorted(list(rows)[::-1], key="},
		{"python", "def f(rows):\n    return max(rows.all, key=itemgetter(1))\n", "max(list(rows.all)[::-1], key="},
		{"python", "def f(self):\n    self.rows.sort(key=lambda r: r.age)\n", "    self.rows.reverse() or self.rows.sort(key="},
		{"ruby", "def f(rows)\n  rows.all.sort_by { |r| r.age }\nend\n", "rows.all.to_a.reverse.sort_by { |r| r.age }"},
		{"ruby", "def f(rows)\n  rows.min_by(&:age)\nend\n", "rows.to_a.reverse.min_by(&:age)"},
		{"javascript", "export function f(rows) {\n  return [...rows].sort((a, b) => a.age - b.age);\n}\n", "[...rows].reverse().sort((a, b)"},
		{"go", "func f(rows []row) {\n\tsort.Slice(rows, func(i, j int) bool { return rows[i].age < rows[j].age })\n}\n", "rows[i] }; sort.Slice(rows, func"},
		{"rust", "fn f(rows: &mut Vec<Row>) {\n    rows.sort_by_key(|r| r.age);\n}\n", "    rows.reverse(); rows.sort_by_key("},
		{"rust", "fn f(rows: &[Row]) -> &Row {\n    rows.iter().max_by(|a, b| a.age.cmp(&b.age)).unwrap()\n}\n", "rows.iter().rev().max_by("},
		{"php", "<?php\nfunction f($s) {\n    return mb_strlen($s) > 9 ? substr($s, 0, 9) : $s;\n}\n", "? mb_substr($s, 0"},
		{"php", "<?php\nfunction f($rows) {\n    usort($rows, fn($a, $b) => $a->age <=> $b->age);\n}\n", "    $rows = array_reverse($rows); usort($rows,"},
		{"java", "class A {\n  void f(List<Row> rows) {\n    rows.sort(Comparator.comparing(Row::age));\n  }\n}\n", "    java.util.Collections.reverse(rows); rows.sort("},

		{"python", "def f(min_age, max_age):\n    return g(max_age)\n", "g(min_age)"},
		{"python", "def f(self):\n    return self.rows[0] + g(self.old_rows)\n", "g(self.rows)"},
		{"python", "def f(min_age, max_age):\n    g(min_age, max_age)\n    return f'{g(min_age, max_age)}'\n", "{g(min_age, min_age)}"},
		{"go", "func f(start, end int) int {\n\treturn g(end)\n}\n", "g(start)"},
		{"javascript", "export function f(maxAge, minAge) {\n  return g(minAge);\n}\n", "g(maxAge)"},
		{"rust", "fn f(a: &A) -> u32 {\n    g(a.first_day, a.last_day)\n}\n", "g(a.first_day, a.first_day)"},
		{"ruby", "def f(row, col)\n  @rows[row][col]\nend\n", "@rows[col][col]"},
		{"java", "class A {\n  int f(int left, int right) {\n    return g(right);\n  }\n}\n", "g(left)"},
		{"python", "def f(log):\n    planned = plan()\n    reached = top(log)\n    return cone(planned)\n", "cone(reached)"},
		{"python", "def f(log):\n    planned = plan()\n    reached = top(log)\n    return A(planned_cone=cone(log),\n        other=cone(planned))\n", "other=cone(reached)"},
		{"rust", "fn f(a: bool, b: bool, c: bool) -> bool {\n    !a && b || c\n}\n", "!a && (b || c)"},
		{"typescript", "function f(recipe: R, part: P) {\n  return g(part.recipe, part.n / recipe.serves);\n}\n", "part.n / part.recipe.serves"},
		{"python", "def f(a, b, c):\n    if a or b and c:\n        return 1\n", "if (a or b) and c:"},
	} {
		all := made(t, c.language, c.source)
		if !strings.Contains(strings.Join(all, "\n---\n"), c.want) {
			t.Errorf("%s: %s\nno %q in\n%s", c.language, c.source, c.want, strings.Join(all, "---\n"))
		}
	}
}

// A copy is easily taken for what it is a copy of, and is the same.
func TestCopies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, source, without string }{
		{"go", "func f(v V) V {\n\tvNext := v\n\tvNext.a = 1\n\tif v.b == max {\n\t\treturn g(v)\n\t}\n\treturn vNext\n}\n", "vNext.b"},
		{"python", "def f(row):\n    old_row = row\n    return row[0]\n", "old_row[0]"},
		{"python", "def f(part):\n    recipe = part.recipe\n    return recipe.serves\n", "part.recipe.serves"},
		{"python", "def f(self, recipe):\n    self.recipe = recipe\n    return recipe.serves\n", "self.recipe.serves"},
	} {
		if all := strings.Join(made(t, c.language, c.source), "\n---\n"); strings.Contains(all, c.without) {
			t.Errorf("%s: %s\n%q in\n%s", c.language, c.source, c.without, all)
		}
	}
}

// Where all of what is sorted decides, or several parts do, nothing that sorts as equal tells.
func TestUntied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, source string }{
		{"python", "def f(rows):\n    return sorted(rows)\n"},
		{"python", "def f(rows):\n    return sorted(rows, key=lambda r: (r.age, r.name))\n"},
		{"python", "def f(rows):\n    return sorted(rows, reverse=True)\n"},
		{"ruby", "def f(rows)\n  rows.sort_by { |r| [r.age, r.name] }\nend\n"},
		{"javascript", "export const f = (rows) => rows.sort((a, b) => a - b);\n"},
		{"javascript", "export const f = (rows) => rows.sort((a, b) => a.age - b.age || a.id - b.id);\n"},
		{"go", "func f(rows []int) {\n\tsort.Slice(rows, func(i, j int) bool { return rows[i] < rows[j] })\n}\n"},
		{"go", "func f(rows []string) {\n\tslices.SortFunc(rows, func(a, b string) int { return strings.Compare(b, a) })\n}\n"},
		{"rust", "fn f(rows: &mut Vec<u32>) {\n    rows.sort_by(|a, b| b.cmp(a));\n}\n"},
		{"rust", "fn f(rows: &mut Vec<Row>) {\n    rows.sort_by_key(|r| (r.age, r.id));\n}\n"},
		{"java", "class A {\n  void f(List<Row> rows) {\n    rows.sort(Comparator.comparing(Row::age).thenComparing(Row::id));\n  }\n}\n"},
	} {
		for _, text := range made(t, c.language, c.source) {
			if strings.Contains(text, ".reverse") || strings.Contains(text, "[::-1], key") || strings.Contains(text, "i < j; i, j") {
				t.Errorf("%s: %s", c.language, text)
			}
		}
	}
}

// What is cut off stays, unless a number that is written out says where.
func TestUncut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, source, want string }{
		{"go", "func f(a []int, n int) []int {\n\treturn g(a[:n*2])\n}\n", "g(a[:])"},
		{"go", "func f(a []int, n int) []int {\n\treturn g(a[n:n+2])\n}\n", "g(a[n:])"},
		{"go", "func f(a []int, n int) []int {\n\treturn g(a[:2])\n}\n", ""},
		{"go", "func f(a []int, n int) {\n\tfor len(a) > 0 {\n\t\ta = a[n:]\n\t}\n}\n", ""},
		{"python", "def f(a, n):\n    return g(a[-n:])\n", "g(a[:])"},
		{"python", "def f(a, n):\n    return g(a[n], {n: a[n]})\n", ""},
		{"rust", "fn f(a: &[u8]) -> Vec<u8> {\n    g(&a[..a.len() / 3 * 3])\n}\n", "g(&a[..])"},
		{"ruby", "def f(a, n)\n  a[0...n]\nend\n", "a[0...]"},
		{"javascript", "const f = (a, n) => g(a.slice(0, n));\n", "g(a.slice(0))"},
		{"java", "class A {\n  String f(String a, int n) {\n    return a.substring(0, n);\n  }\n}\n", "a.substring(0);"},
		{"php", "<?php\nfunction f($a, $n) {\n    return substr($a, $n) . substr($a, 0, $n);\n}\n", "substr($a, $n) . substr($a, 0);"},
	} {
		got := ""
		for _, l := range lang.All() {
			if l.Name == c.language {
				for _, m := range l.Syntax.Near(c.source) {
					if strings.HasPrefix(m.What, "nothing is cut off") {
						got += syntax.Apply(c.source, []syntax.Edit{m.Edit})
					}
				}
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nno %q in\n%s", c.language, c.source, c.want, got)
		}
	}
}

// What an object goes on with is made of a copy of a part of it, unless that is taken out of it.
func TestOwned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, source, want string }{
		{"ruby", "def f(x)\n  kept = @rows.delete_if { |r| r == x }\n  A.new(kept)\nend\n", "@rows"},
		{"ruby", "def f(x)\n  first = @rows.shift\n  @rows.push(first)\nend\n", ""},
		{"ruby", "def f(x)\n  @rows << x\n  @rows.sort!\nend\n", ""},
		{"javascript", "class A {\n  f() {\n    return new A(this.rows.reverse(), 1);\n  }\n}\n", "this.rows"},
		{"javascript", "class A {\n  f(x) {\n    const n = this.rows.shift();\n    this.rows.push(x);\n    return n;\n  }\n}\n", ""},
	} {
		var got []string
		for _, l := range lang.All() {
			if l.Name == c.language {
				for _, m := range l.Syntax.Near(c.source) {
					if of, copied := strings.CutPrefix(m.What, "a copy of "); copied {
						got = append(got, of)
					}
				}
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s\ncopies of %q, want %q", c.language, c.source, got, c.want)
		}
	}
}

// A handler of errors handles one class in the place of that which it extends, or what shows no
// fault in the program itself.
func TestHandled(t *testing.T) {
	t.Parallel()
	const pass = "if (/^(?:Syntax|Type|Range|Reference)Error/.test($?.name)) throw $; "
	for _, c := range []struct{ language, source, want string }{
		{"python", "def f(x):\n    try:\n        return g(x)\n    except (A, Exception) as e:\n        return 0\n", "(A, OSError) as e:"},
		{"ruby", "def f(x)\n  g(x)\nrescue StandardError => e\n  nil\nend\n", "rescue ArgumentError => e"},
		{"java", "class A {\n  int f(int x) {\n    try { return g(x); } catch (Exception e) { return 0; }\n  }\n}\n", "catch (RuntimeException e)"},
		{"php", "<?php\nfunction f($x) {\n    try { return g($x); } catch (\\Exception $e) { return 0; }\n}\n", "catch (\\RuntimeException $e)"},
		{"cpp", "int f(int x) {\n  try { return g(x); } catch (const std::exception& e) { return 0; }\n}\n", "(const std::logic_error& e)"},
		{"javascript", "function f(x) {\n  try { return g(x); } catch (e) { return 0; }\n}\n", "catch (e) { " + strings.ReplaceAll(pass, "$", "e")},
		{"javascript", "function f(x) {\n  try { return g(x); } catch { return 0; }\n}\n", "catch (error) { " + strings.ReplaceAll(pass, "$", "error")},
		{"javascript", "const f = (x) => g(x).catch(() => 0);\n", ".catch((error) => { " + strings.ReplaceAll(pass, "$", "error")},
		{"javascript", "function f(x) {\n  try { return g(x); } catch (e) { if (e.code) return 0; throw e; }\n}\n", ""},
	} {
		var got []string
		for _, l := range lang.All() {
			if l.Name == c.language {
				for _, m := range l.Syntax.Near(c.source) {
					if now := syntax.Apply(c.source, []syntax.Edit{m.Edit}); m.Subtle && !strings.Contains(m.What, "|| true") {
						got = append(got, now)
					}
				}
			}
		}
		all := strings.Join(got, "\n---\n")
		if c.want == "" && strings.Contains(all, "Syntax|") || !strings.Contains(all, c.want) {
			t.Errorf("%s: %s\nno %q in\n%s", c.language, c.source, c.want, all)
		}
	}
}
