package ruby

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// rewritten is what becomes of the lines that checks alter, or turn round.
func rewritten(content string, edits func(syntax.Check) []syntax.Edit) string {
	var all []syntax.Edit
	for _, c := range page().Checks(content, gates.KindTest) {
		all = append(all, edits(c)...)
	}
	was := strings.Split(content, "\n")
	var out []string
	for i, line := range strings.Split(syntax.Apply(content, all), "\n") {
		if line != was[i] {
			out = append(out, strings.TrimSpace(strings.ReplaceAll(line, anotherValue, "other.call")))
		}
	}
	return strings.Join(out, "\n")
}

func altered(c syntax.Check) []syntax.Edit { return c.Altered }
func negated(c syntax.Check) []syntax.Edit { return c.Negated }

func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, altered, negated string }{
		{`assert_equal 5, add(2, 3)`, `assert_equal 46, add(2, 3)`, `assert_equal other.call(5), add(2, 3)`},
		{`assert_equal("a", name, "why")`, `assert_equal("a~tdd", name, "why")`, `assert_equal(other.call("a"), name, "why")`},
		{`assert_equal [1, :b], list`, `assert_equal [42, :b], list`, `assert_equal other.call([1, :b]), list`},
		{`assert_equal({a: 1}, hash)`, `assert_equal({a: 42}, hash)`, `assert_equal(other.call({a: 1}), hash)`},
		{`assert_equal %w[a b], list`, `assert_equal (%w[a b] + ["~tdd"]), list`, `assert_equal other.call(%w[a b]), list`},
		{`assert_equal [], list`, `assert_equal ["~tdd"], list`, `assert_equal other.call([]), list`},
		{`assert_equal add(1, 2), add(2, 1)`, ``, `assert_equal other.call(add(1, 2)), add(2, 1)`},
		{`assert_in_delta 0.5, half, 0.01`, `assert_in_delta (0.5 + 41), half, 0.01`, `assert_in_delta other.call(0.5), half, 0.01`},
		{`assert add(2, 3) == 5`, `assert add(2, 3) == 46`, `assert !(add(2, 3) == 5)`},
		{`assert size < 5, "small"`, `assert size < (-1073741819), "small"`, `assert !(size < 5), "small"`},
		{`refute done?`, ``, `refute !(done?)`},
		{`assert_nil value`, ``, `refute_nil value`},
		{`refute_includes list, 2`, ``, `assert_includes list, 2`},
		{`assert_includes list, 2`, `assert_includes list, 43`, `refute_includes list, 2`},
		{`assert_raises(KeyError) { get }`, `assert_raises(Class.new(StandardError)) { get }`, ``},
		{`assert_raises KeyError do`, `assert_raises Class.new(StandardError) do`, ``},
		{`[1].each { |n| assert_equal 1, n }`, `[1].each { |n| assert_equal 42, n }`, `[1].each { |n| assert_equal other.call(1), n }`},
		{`_(add(2, 3)).must_equal 5`, `_(add(2, 3)).must_equal 46`, `_(add(2, 3)).wont_equal 5`},
		{`value.must_be_nil`, ``, `value.wont_be_nil`},
		{`expect(add(2, 3)).to eq(5)`, `expect(add(2, 3)).to eq(46)`, `expect(add(2, 3)).not_to eq(5)`},
		{`expect(name).to eq "a"`, `expect(name).to eq "a~tdd"`, `expect(name).not_to eq "a"`},
		{`expect(size).to be > 3`, `expect(size).to be > 1073741827`, `expect(size).not_to be > 3`},
		{`expect(half).to be_within(0.1).of(0.5)`, `expect(half).to be_within(0.1).of((0.5 + 41))`, `expect(half).not_to be_within(0.1).of(0.5)`},
		{`expect(slug).to make("a").of("b c")`, `expect(slug).to make("a~tdd").of("b c~tdd")`, `expect(slug).not_to make("a").of("b c")`},
		{`expect { go }.to raise_error(KeyError)`, `expect { go }.to raise_error(Class.new(StandardError))`, `expect { go }.not_to raise_error(KeyError)`},
		{`expect { go }.to change { size }.by(1)`, `expect { go }.to change { size }.by(42)`, `expect { go }.not_to change { size }.by(1)`},
		{`expect(list).not_to include(2)`, ``, `expect(list).to include(2)`},
		{`is_expected.to be_nil`, ``, `is_expected.not_to be_nil`},
		{`subject.should == 5`, `subject.should == 46`, `subject.should_not == 5`},
		{`subject.should eq 5`, `subject.should eq 46`, `subject.should_not eq 5`},
		{`expect(a).to eq(add(1, 2))`, ``, `expect(a).not_to eq(add(1, 2))`},
		{"want = 5\n    assert_equal want, add(2, 3)", "assert_equal other.call(want), add(2, 3)", "assert_equal other.call(want), add(2, 3)"},
		{"want = add(1, 4)\n    expect(add(2, 3)).to eq(want)", "", "expect(add(2, 3)).not_to eq(want)"},
		{`puts "assert_equal 1, 2" # assert_equal 1, 2`, ``, ``},
	} {
		content := "class SumTest\n  def test_sum\n    " + c.body + "\n  end\nend\n"
		if got := rewritten(content, altered); got != c.altered {
			t.Errorf("%s\naltered %s\nwant    %s", c.body, got, c.altered)
		}
		if got := rewritten(content, negated); got != c.negated {
			t.Errorf("%s\nnegated %s\nwant    %s", c.body, got, c.negated)
		}
	}
}

func TestChecks_whereTheyStand(t *testing.T) {
	t.Parallel()
	const content = `describe "Calc" do
  let(:want) { 5 }
  def check(n)
    expect(n).to eq 1
  end
  context "one" do
    it "adds" do
      expect(add).to eq want
    end
  end
  context "two" do
    it "adds" do
      add
    end
    it("subtracts") { expect(sub).to eq 1 }
    it "checks" do
      def sub.one; 1 end
      check(2)
    end
  end
  [[1, 2], [3, 4]].each do |n, doubled|
    it "doubles" do
      expect(double(n)).to eq doubled
    end
  end
end
`
	var got []string
	for _, c := range page().Checks(content, gates.KindTest) {
		what := []string{c.Test, strings.TrimSpace(content[c.At.Start:c.At.End])}
		for _, v := range c.Written() {
			what = append(what, content[v.Start:v.End])
		}
		if c.Test != "" && !strings.Contains(content[c.Body.Start:c.Body.End], c.Test) {
			t.Errorf("the body of %q is %q", c.Test, content[c.Body.Start:c.Body.End])
		}
		got = append(got, strings.Join(what, "|"))
	}
	want := []string{
		"|to eq 1|1", "adds|", "adds|to eq want|5", "adds|", "subtracts|", "subtracts|to eq 1|1", "checks|", "checks|check(2)|2", "doubles|", "doubles|to eq doubled|2|4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{{ID: "spec/a_spec.rb::A::adds", File: "spec/a_spec.rb", Line: 3}}
	for argv, want := range map[string]string{
		"bundle exec rspec":  "bundle exec rspec spec/a_spec.rb:3",
		"rspec --order rand": "",
		"rspec --tag=fast":   "rspec --tag=fast spec/a_spec.rb:3",
		"rake test":          "",
	} {
		if got := strings.Join(narrow(strings.Fields(argv), tests), " "); got != want {
			t.Errorf("%s: %s, want %s", argv, got, want)
		}
	}
	got := narrow(Language().Defaults.Test, tests)
	if want := `/\A(?:test_\d{4}_)?(adds)\z/`; len(got) == 0 || got[len(got)-1] != want {
		t.Errorf("%q, want %s at the end", got, want)
	}
}

func FuzzChecks(f *testing.F) {
	f.Add(testSource)
	f.Fuzz(func(t *testing.T, content string) {
		for _, c := range page().Checks(content, gates.KindTest) {
			for _, e := range slices.Concat(c.Altered, c.Negated) {
				if e.Start < 0 || e.End < e.Start || e.End > len(content) {
					t.Fatalf("%v is outside %q", e, content)
				}
			}
		}
	})
}
