package php

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `<?php
// function testNot() {}
# function testNotEither() {}
/* function testNorThis() {} */
final class CalcTest extends TestCase
{
    private const LIMIT = 3;

    public function testSum(): void // $this->assertTrue(false);
    {
        $text = <<<TEXT
            $this->assertSame(1, 2);
            TEXT;
        $this->assertSame(
            3,
            (new Calc())->add(1, "2; // no comment")
        );
        if ($slow) {
            $this->assertTrue($done);
        }
        $mock->expects($this->once())
            ->method('add')
            ->willReturn(4);
    }

    /**
     * @test
     * @dataProvider cases
     */
    public function it_adds(int $a): void
    {
        foreach ([1, 2] as $n) {
            self::assertSame($n, $a);
        }
    }

    #[Test]
    #[DataProvider('cases')]
    public function another(): void
    {
        $this->markTestSkipped('later');
    }

    public static function cases(): array
    {
        return [
            'one' => [1],
        ];
    }

    private function helper(): void
    {
    }
}
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	if got := page().Declared(testSource); !slices.Equal(got, []string{"testSum", "it_adds", "another"}) {
		t.Errorf("%q", got)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "assertions", strings.Join(assertions(testSource), "\n"), `private const LIMIT = 3;
$text = <<<TEXT $this->assertSame(1, 2); TEXT;
$this->assertSame( 3, (new Calc())->add(1, "2; // no comment") );
if ($slow) { $this->assertTrue($done);
$mock->expects($this->once()) ->method('add') ->willReturn(4);
foreach ([1, 2] as $n) { self::assertSame($n, $a);
#[Test]
#[DataProvider('cases')]
$this->markTestSkipped('later');
return [ 'one' => [1], ];
@dataProvider cases`)
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add(before + "$this->assertSame($want, f())" + behind)
	f.Add("<?php <<<A\n$x->assertSame('")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := page().Mask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("lengths differ")
		}
		page().Declared(text)
		assertions(text)
		code(text)
		for _, c := range page().Checks(text, gates.KindTest) {
			syntax.Apply(text, append(c.Altered, c.Negated...))
		}
		for _, m := range page().Mutants(text) {
			if m.Line < 1 || m.Edit.Start >= m.Edit.End || m.Edit.End > len(text) {
				t.Fatalf("a mutant of nothing: %+v", m)
			}
		}
	})
}

func FuzzVerdict(f *testing.F) {
	f.Add(`{"event":"begin"}
{"event":"plan","id":"a"}
{"event":"start","id":"a"}
{"event":"verdict","id":"a","status":"passed"}
{"event":"end"}`, "", 0)
	f.Add("", "PHP Fatal error:  Uncaught Error: Class \"A\" not found in /a.php:3", 255)
	f.Add(`{"event":"begin"}`, "Message:  x\nLocation: a:3", 2)
	f.Fuzz(func(t *testing.T, written, output string, exit int) {
		p := &testrun.Places{Dir: "/nowhere", Language: Language()}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "1.jsonl"), []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		j, _, err := journal.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := verdict(journal.Run{
			Journal: j, Places: p, End: testrun.Ended{Run: testrun.Run{Exit: exit, Argv: []string{"phpunit"}, Output: output}},
			Explain: explainer{p}.explain, NoTestsExit: 1,
		})
		if got.Outcome == gates.Passed && (exit != 0 || j.Ended == 0 || !slices.ContainsFunc(got.Tests, passed)) {
			t.Fatal("passed without proof")
		}
	})
}

func passed(t gates.Test) bool { return t.Status == gates.StatusPassed }
