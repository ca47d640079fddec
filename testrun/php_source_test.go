package testrun

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
)

const phpSource = `<?php
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

func TestPHPDeclared(t *testing.T) {
	t.Parallel()
	if got := phpDeclared(phpSource); !slices.Equal(got, []string{"testSum", "it_adds", "another"}) {
		t.Errorf("%q", got)
	}
}

func TestPHPAssertions(t *testing.T) {
	t.Parallel()
	want(t, "assertions", strings.Join(phpAssertions(phpSource), "\n"), `private const LIMIT = 3;
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

func FuzzPHPSource(f *testing.F) {
	f.Add(phpSource)
	f.Add("<?php <<<A\n$x->assertSame('")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := phpMask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("lengths differ")
		}
		phpDeclared(text)
		phpAssertions(text)
	})
}

// Since PHPUnit 10 a test that is skipped or fails before it is prepared is not
// said to start.
func TestPHPUnitWithoutStart(t *testing.T) {
	t.Parallel()
	p := newPHPUnit(&places{dir: "/nowhere", lang: phpLanguage(), cuts: map[string][]span{}})
	stream := "##teamcity[testCount count='2' flowId='7']\n" +
		"##teamcity[testStarted name='testA' locationHint='php_qn:///a.php::\\A::testA' flowId='7']\n##teamcity[testFinished name='testA' flowId='7']\n" +
		"##teamcity[testIgnored name='testB' message='x' flowId='7']\n"
	if err := p.readStream(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	p.readFinal(strings.NewReader(`<testsuites><testsuite name="A" tests="2"><testcase name="testA" class="A"/><testcase name="testB" class="A"><skipped/></testcase></testsuite></testsuites>`))
	got := p.report(ended{Run: Run{Argv: []string{"phpunit"}}}, phpFatal{})
	if got.outcome != gates.Passed {
		t.Errorf("%s: %v", got.outcome, got.diagnostics)
	}
	want(t, "tests", tests(gates.Facts{Tests: got.tests}), "::A::testA passed\n::A::testB skipped")
}

func TestPHPForbidden(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeProject(t, dir, []txtar.File{{Name: "phpunit.xml", Data: []byte("<phpunit\n\tfailOnRisky=\"true\"\n\tfailOnWarning=\"false\" failOnNotice='true'>")}})
	for words, expected := range map[string]string{
		"phpunit tests":                               "risky notice",
		"phpunit -c none.xml --fail-on-warning":       "warning",
		"phpunit -c none.xml --do-not-fail-on-risky":  "",
		"phpunit -c none.xml --fail-on-all-issues":    "risky warning notice deprecation",
		"phpunit --configuration=none.xml --fail-on-": "",
	} {
		want(t, words, strings.Join(phpForbidden(dir, strings.Fields(words)), " "), expected)
	}
}

func FuzzPHPUnit(f *testing.F) {
	f.Add("##teamcity[testCount count='1' flowId='1']\n##teamcity[testStarted name='testA' locationHint='php_qn:///a.php::\\A::testA' flowId='1']\n##teamcity[testFinished name='testA' flowId='1']\n",
		`<testsuites><testsuite name="A" tests="1"><testcase name="testA" class="A" file="/a.php"/></testsuite></testsuites>`, "", 0)
	f.Add("", "", "PHP Fatal error:  Uncaught Error: Class \"A\" not found in /a.php:3", 255)
	f.Add("", `<testsuite><testcase name="Error"><error type="x">`, "Message:  x\nLocation: a:3", 2)
	f.Add("", "<testsuites/>", "Test Runner Execution Started (0 tests)\nTest Triggered PHPUnit Error (A::b#0)\nno\nTest Triggered Warning (A::b) in /a:3\n1) A::b#0\n/a.php:3\n", 2)
	f.Fuzz(func(t *testing.T, stream, final, output string, exit int) {
		at := &places{dir: "/nowhere", lang: phpLanguage(), cuts: map[string][]span{}}
		p := newPHPUnit(at)
		if err := p.readStream(strings.NewReader(stream)); err != nil {
			t.Fatal(err)
		}
		p.readFinal(strings.NewReader(final))
		if err := p.readEvents(strings.NewReader(output), output); err != nil {
			t.Fatal(err)
		}
		got := p.report(ended{Run: Run{Exit: exit, Argv: []string{"x"}, Output: output}}, readPHPFatal(output))
		if got.outcome == "passed" && (exit != 0 || !p.over || p.planned > p.started) {
			t.Fatal("passed without proof")
		}
	})
}
