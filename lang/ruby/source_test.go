package ruby

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `# it "not this" do
=begin
def test_nor_this; end
=end
class CalcTest < Minitest::Test
  LIST = %w[it "quoted" do]
  def test_sum # assert_equal 9, 9
    text = <<~TEXT
      assert_equal 1, 2
      it "no" do
    TEXT
    assert_equal 3,
      calc.add("#{h["x"]} # no comment", 2)
    x = 4 / 2; y = a / b
    assert_match /it "no" do # assert/, text
    if slow?
      refute done
    end
  end
  private def test_hidden?
  end
  test "Rails makes  a method" do
    expect(x).to eq(1)
      .and be_odd
  end
end
describe "Calc" do
  let(:calc) { Calc.new }
  it 'isn\'t "odd"' do
    expect do
      calc.boom
    end.to raise_error(Boom)
  end
  xit("is off") { }
  specify "größe" do
    [1, 2].each do |n|
      _(n).must_equal 1
    end
  end
  it { is_expected.to be_nil }
end
__END__
it "after the end" do
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	want := []string{"test_sum", "test_hidden?", "test_Rails_makes_a_method", `isn't "odd"`, "is off", "größe"}
	if got := page().Declared(testSource); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	wanted := `LIST = %w[it "quoted" do]
text = <<~TEXT assert_equal 1, 2 it "no" do TEXT
assert_equal 3, calc.add("#{h["x"]} # no comment", 2)
x = 4 / 2; y = a / b
assert_match /it "no" do # assert/, text
if slow? refute done
expect(x).to eq(1) .and be_odd
let(:calc) { Calc.new }
expect do
end.to raise_error(Boom)
xit("is off") { }
[1, 2].each do |n| _(n).must_equal 1
it { is_expected.to be_nil }`
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), wanted)
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("x = <<A + <<B\na\nA\nb\n")
	f.Add("%q(((\n\"#{\"#{'")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := page().Mask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("lengths differ")
		}
		page().Declared(text)
		page().Assertions(text)
	})
}

func FuzzExplain(f *testing.F) {
	f.Add("NameError", "undefined method", "add", "test/a_test.rb")
	f.Add("LoadError", "cannot load such file -- x", "x/y", "")
	f.Fuzz(func(t *testing.T, kind, message, name, file string) {
		p := &testrun.Places{Dir: "/nowhere", Language: Language()}
		e := journal.Event{Kinds: []string{kind}, Message: message, Name: name, Frames: []journal.Frame{{File: file, Line: 1}}}
		if f := (explainer{p}).explain(e); f.Class == "" {
			t.Fatal("no class")
		}
	})
}
