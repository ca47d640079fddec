package config

import (
	"cmp"
	"path"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// The names of the file, at the root of the project.
const (
	FileName    = ".tdd.yaml" // the file that is read
	AltFileName = "tdd.yaml"  // read where only this one exists
)

// Settings is everything that a project can decide.
type Settings struct {
	Kata        string              `koanf:"kata_description"`       // slash-separated path in the tree
	Language    testrun.Description `koanf:"language"`               // with a bare name or none: one that git-tdd knows
	Steps       int                 `koanf:"steps"`                  // role steps of one run
	MaxAttempts int                 `koanf:"max_attempts_per_agent"` // attempts before a step is given up
	Rotation    []gates.Role        `koanf:"rotation"`               // the order of turns; no role twice
	Roles       map[gates.Role]Role `koanf:"roles"`
	LLM         LLM                 `koanf:"llm"`
	CI          CI                  `koanf:"ci"`
	Commit      Commit              `koanf:"commit"`
	Gates       gates.Policy        `koanf:"gates"`
	Isolation   Isolation           `koanf:"isolation"`
	Contain     Contain             `koanf:"contain"`
	Workbench   Workbench           `koanf:"workbench"`
	Projects    map[string]Project  `koanf:"projects"` // by folder; none: the whole tree is one
	Retired     []Retired           `koanf:"-"`        // that were given, and went
}

// Project is a folder of the tree that is tested by commands of its own. Of the
// commands, nil and empty mean what they mean in [CI].
type Project struct {
	Language string   `koanf:"language"`
	TestCmd  []string `koanf:"test_cmd"`
	CheckCmd []string `koanf:"check_cmd"`
	FmtCmd   []string `koanf:"fmt_cmd"`
	Report   string   `koanf:"report"`
	// Reads are the folders of the other projects that it needs; those that it does
	// not name are not there where it is measured.
	Reads []string `koanf:"reads"`
}

// Role says who plays a role, and by which rules.
type Role struct {
	Model       string     `koanf:"model"`       // "model", "provider:model" or Human; empty: that of the role it plays
	Temperature *float64   `koanf:"temperature"` // 0 to 2; nil: none is sent
	Plays       gates.Role `koanf:"plays"`       // the rulebook of a custom role
	// Type, Paths and Gate are the rules of a role that plays none of the three.
	Type   string        `koanf:"type"`  // of its commits
	Paths  []string      `koanf:"paths"` // doublestar patterns of what it may change
	Gate   gates.Keeping `koanf:"gate"`
	Agent  Agent         `koanf:"agent"`
	Prompt string        `koanf:"prompt"` // a file of the tree with words for the role; empty: none
}

// Agent is the coding agent that takes a role's steps.
type Agent struct {
	Preset  string   `koanf:"preset"` // a known one; empty: Cmd says it all
	Cmd     []string `koanf:"cmd"`
	Prompt  string   `koanf:"prompt"` // stdin, file or arg; empty: the preset's
	Resume  []string `koanf:"resume"` // goes on with a session
	Env     []string `koanf:"env"`    // names of variables that it may see
	Timeout string   `koanf:"timeout"`
	Network Network  `koanf:"network"` // that it reaches; empty: the host's, for its model is there
	Read    []string `koanf:"read"`    // paths outside the project that it may read
	Write   []string `koanf:"write"`   // likewise, and change
}

// Given reports whether any agent is named.
func (a Agent) Given() bool { return a.Preset != "" || len(a.Cmd) > 0 }

// Name is what the commits call the agent.
func (a Agent) Name() string {
	if a.Preset == "" && len(a.Cmd) > 0 {
		return "agent:" + path.Base(a.Cmd[0])
	}
	return "agent:" + cmp.Or(a.Preset, "agent")
}

// Limit is the longest that one turn of the agent may take.
func (a Agent) Limit() time.Duration {
	d, err := time.ParseDuration(a.Timeout)
	if err != nil {
		return defaultTurn
	}
	return d
}

// defaultTurn is enough for an agent to take a step, and to give up on one.
const defaultTurn = 15 * time.Minute

// Human is the model of a role whose steps a person takes.
const Human = "human"

// ByHuman reports whether a person takes the role's steps.
func (r Role) ByHuman() bool { return r.Model == Human && !r.ByAgent() }

// ByAgent reports whether a coding agent takes them.
func (r Role) ByAgent() bool { return r.Agent.Given() }

// LLM says how to reach models and how much they may be used.
type LLM struct {
	BaseURL           string              `koanf:"base_url"`    // of an OpenAI-compatible API
	APIKeyEnv         string              `koanf:"api_key_env"` // variable with the key; empty: no key is sent
	Providers         map[string]Provider `koanf:"providers"`
	Timeout           time.Duration       `koanf:"timeout"` // of one request
	Budget            Budget              `koanf:"budget"`
	RequestsPerMinute int                 `koanf:"requests_per_minute"` // 0: no limit
	MaxContext        int                 `koanf:"max_context"`         // tokens of one prompt
}

// Provider is an endpoint that models name by a prefix.
type Provider struct {
	BaseURL   string `koanf:"base_url"`
	APIKeyEnv string `koanf:"api_key_env"` // empty: no key is sent
}

// Budget is what one run may use up; 0 means no limit.
type Budget struct {
	Tokens int           `koanf:"tokens"`
	Time   time.Duration `koanf:"time"`
}

// CI holds the project's own commands. A nil command means the language's
// default; an empty one means none.
type CI struct {
	TestCmd  []string      `koanf:"test_cmd"`
	CheckCmd []string      `koanf:"check_cmd"`
	FmtCmd   []string      `koanf:"fmt_cmd"`
	Timeout  time.Duration `koanf:"timeout"` // of one command
	// Report is what the test command writes, if the language's own reader cannot read
	// it: a pattern of files in the tree, reportTAP or reportExitCode.
	Report string `koanf:"report"`
}

// Commit names the author of the commits that agents make.
type Commit struct {
	AuthorName  string `koanf:"author_name"`
	AuthorEmail string `koanf:"author_email"`
}

// Isolation says how much of the project a role sees.
type Isolation string

// The isolations.
const (
	IsolationOpen   Isolation = "open"   // every role sees the project
	IsolationStrict Isolation = "strict" // the tester sees no implementation, the implementor no requirements
)

// Contain says whose code runs contained.
type Contain string

// The containments.
const (
	ContainAgents Contain = "agents" // what an agent wrote, and what was not committed here
	ContainAlways Contain = "always" // people's own commits too
	ContainOff    Contain = "off"    // nobody's
)

// Network is what contained commands reach of the network.
type Network string

// The networks.
const (
	NetworkNone     Network = "none"
	NetworkLoopback Network = "loopback" // servers of their own
	NetworkHost     Network = "host"     // whatever the user reaches
)

// Workbench says what the directory in which trees are measured needs.
type Workbench struct {
	Link     []string `koanf:"link"`      // ignored paths of the project that are linked in
	SetupCmd []string `koanf:"setup_cmd"` // run once, before the first measurement
	Env      []string `koanf:"env"`       // NAME=value, declared for the commands
	Network  Network  `koanf:"network"`   // that contained commands reach
	Read     []string `koanf:"read"`      // paths outside the project that contained commands may read
	Write    []string `koanf:"write"`     // likewise, and change
}

// Default returns the settings of a project that sets nothing.
func Default() Settings {
	const model = "qwen2.5-coder:7b" // small enough for a laptop
	return Settings{
		Kata:        "kata.md",
		Steps:       20,
		MaxAttempts: 5,
		Rotation:    []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer},
		Roles: map[gates.Role]Role{
			gates.Tester:      {Model: model, Temperature: new(0.4)},
			gates.Implementor: {Model: model, Temperature: new(0.2)},
			gates.Refactorer:  {Model: model, Temperature: new(0.3)},
		},
		LLM: LLM{ //nolint:gosec // the name of a variable is no credential
			BaseURL:    "http://localhost:11434/v1",
			APIKeyEnv:  "LLM_API_KEY",
			Providers:  map[string]Provider{},
			Timeout:    2 * time.Minute,
			Budget:     Budget{Tokens: 2_000_000, Time: 30 * time.Minute},
			MaxContext: 8_000,
		},
		CI:        CI{Timeout: 5 * time.Minute},
		Commit:    Commit{AuthorName: "TDD Machine", AuthorEmail: "tdd@local"},
		Gates:     gates.DefaultPolicy(),
		Isolation: IsolationOpen,
		Contain:   ContainAgents,
		Workbench: Workbench{Link: []string{}, SetupCmd: []string{}, Env: []string{}, Network: NetworkLoopback, Read: []string{}, Write: []string{}},
	}
}
