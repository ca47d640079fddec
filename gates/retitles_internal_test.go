package gates

import "testing"

func TestRetitles(t *testing.T) {
	t.Parallel()
	old := File{Path: "a_spec.rb", Test: "it 'gives the smu' do\nend\n\nit 'adds' do\n  sum.should == 1\nend\n", Declared: []string{"gives the smu", "adds"}}
	for title, want := range map[string]bool{"gives the sum": true, "adds": false, "is new": false} {
		now := File{
			Path: "a_spec.rb", Declared: []string{"gives the sum", "adds", "is new"},
			Test: "it 'gives the sum' do\nend\n\nit 'adds' do\n  sum.should == 1\nend\n\nit 'is new' do\n  sum.should == 2\nend\n",
		}
		c := Change{Files: []FileChange{{Old: &old, New: &now}}}
		if got := c.retitles("a_spec.rb::" + title); got != want {
			t.Errorf("%s: %t", title, got)
		}
	}
}
