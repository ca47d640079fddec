package gates

// Permission says whether something that is off by default is allowed.
type Permission string

// The permissions.
const (
	Refuse Permission = "refuse"
	Allow  Permission = "allow"
)

// Switch says whether something that a project may want is on.
type Switch string

// The switches.
const (
	Off Switch = "off"
	On  Switch = "on"
)

// PaceMode says whether one commit may bring a failing test and what makes it pass.
type PaceMode string

// The paces.
const (
	PaceSteps  PaceMode = "steps"
	PaceCycles PaceMode = "cycles"
)

// Size is a budget for one step.
type Size struct {
	Files int `json:"files" koanf:"files"`
	Lines int `json:"lines" koanf:"lines"` // added plus deleted
}

// Policy is what a project may decide about the gates. It is read from the
// parent's tree, so that no commit can loosen the rules it is judged by.
type Policy struct {
	RedReasons       []Class       `json:"red_reasons" koanf:"red_reasons"`
	MaxNewRed        int           `json:"max_new_red" koanf:"max_new_red"`
	Stubs            Permission    `json:"stubs" koanf:"stubs"`
	Characterization Permission    `json:"characterization" koanf:"characterization"`
	ConfirmRuns      int           `json:"confirm_runs" koanf:"confirm_runs"`
	Size             map[Role]Size `json:"size" koanf:"size"`
	Protected        []string      `json:"protected" koanf:"protected"`     // doublestar patterns
	Coverage         Switch        `json:"coverage" koanf:"coverage"`       // whether the coverage gate judges
	DoubleLoop       Switch        `json:"double_loop" koanf:"double_loop"` // whether agents begin a criterion with an acceptance test
	// Evidence is empty where whoever judges decides: full in the loop and in
	// verify, changed in hooks.
	Evidence EvidenceMode `json:"evidence" koanf:"evidence"`
	// Impact says whether hooks measure only the tests that a commit can have an effect on.
	Impact Switch   `json:"impact" koanf:"impact"`
	Pace   PaceMode `json:"pace" koanf:"pace"`
	// Enforce says what becomes of what a gate would refuse, by the gate's name or
	// EnforceDefault.
	Enforce map[string]Enforcement `json:"enforce" koanf:"enforce"`
}

// SizeOf is the budget of a rulebook. A role of the project's own has that of a
// refactorer.
func (p Policy) SizeOf(plays Role) Size {
	if plays == Keeper {
		plays = Refactorer
	}
	return p.Size[plays]
}

// DefaultPolicy is the policy of a project that sets nothing.
func DefaultPolicy() Policy {
	return Policy{
		RedReasons:       []Class{ClassAssertion, ClassUnimplemented, ClassException, ClassMissingSymbol},
		MaxNewRed:        1,
		Stubs:            Refuse,
		Characterization: Refuse,
		ConfirmRuns:      1,
		Size: map[Role]Size{
			Tester:      {Files: 3, Lines: 120},
			Implementor: {Files: 8, Lines: 300},
			Refactorer:  {Files: 12, Lines: 600},
		},
		Protected:  []string{".github/**", ".gitlab-ci.yml"},
		Coverage:   Off,
		DoubleLoop: Off,
		Impact:     Off,
		Pace:       PaceSteps,
		Enforce:    map[string]Enforcement{EnforceDefault: EnforceRefuse},
	}
}
