package katas

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// fallback is the name of a project whose own name has no usable characters,
	// and is added to a name that is taken or begins with a digit.
	fallback = "kata"
	// longest keeps the names of build products within what file systems allow.
	longest = 64
)

// Names with a meaning for a compiler, a standard library or Windows, where no
// file can have such a name.
const (
	deviceNames = `aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con
		lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn`
	rustNames = `abstract as async await become box break const continue crate do dyn else enum
		extern false final fn for gen if impl in let loop macro match mod move mut override priv
		pub ref return self static struct super trait true try type typeof unsafe unsized use
		virtual where while yield
		alloc core proc_macro std test
		bool char f16 f32 f64 f128 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize`
	goNames = `break case chan const continue default defer else fallthrough for func go goto if
		import interface map package range return select struct switch type var
		any append bool byte cap clear close comparable complex complex64 complex128 copy delete
		error false float32 float64 imag init int int8 int16 int32 int64 iota len make max min new
		nil panic print println real recover rune string true uint uint8 uint16 uint32 uint64
		uintptr
		all builtin cmd documentation internal main std test testdata tool vendor work
		archive arena bufio bytes cmp compress container context crypto database debug embed
		encoding errors expvar flag fmt hash html image index io iter log maps math mime net os
		path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall
		testing text time unicode unique unsafe weak`
	// Keywords, names of tests and runners, and modules of Python's standard
	// library that a kata is likely to be named after.
	pythonNames = `and as assert async await break class continue def del elif else except false finally
		for from global if import in is lambda match none nonlocal not or pass raise return true try
		type while with yield
		test tests conftest pytest unittest setup src lib site this main
		abc array ast asyncio base64 bisect builtins calendar chunk cmath cmd code codecs collections
		colorsys compileall contextlib copy csv ctypes curses dataclasses datetime decimal difflib
		dis doctest email encodings enum errno fractions functools gc getopt getpass gettext glob
		graphlib gzip hashlib heapq hmac html http imaplib inspect io ipaddress itertools json keyword
		linecache locale logging lzma mailbox marshal math mimetypes mmap numbers operator optparse os
		parser pathlib pdb pickle pipes platform plistlib posix pprint profile pty pwd queue quopri random
		re readline reprlib resource runpy sched secrets select selectors shelve shlex shutil signal
		socket sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig
		tabnanny tarfile tempfile termios textwrap threading time timeit tkinter token tokenize tomllib
		trace traceback tty turtle types typing unicodedata urllib uuid venv warnings wave weakref
		webbrowser xml zipapp zipfile zipimport zlib zoneinfo`
	// Keywords, and names that npm does not accept for packages.
	scriptNames = `await break case catch class const continue debugger default delete do else enum export
		extends false finally for function if implements import in instanceof interface let new null
		package private protected public return static super switch this throw true try typeof var void
		while with yield
		test tests index src lib assert buffer cluster console constants crypto dgram diagnostics dns domain
		events fs http http2 https inspector module net os path perf process punycode querystring readline
		repl stream string sys timers tls tty url util v8 vm wasi worker zlib node npm favicon
		jest vitest typescript`
	// Keywords, and existing packages.
	javaNames = `abstract assert boolean break byte case catch char class const continue default do double else
		enum extends final finally float for goto if implements import instanceof int interface long native
		new null package private protected public return short static strictfp super switch synchronized this
		throw throws transient true false try void volatile while record sealed permits yield var
		java javax jdk sun com org net io junit test`
	// Keywords, CMake's own targets, and names of libraries.
	cppNames = `alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const
		constexpr continue decltype default delete do double else enum explicit export extern false float for
		friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected
		public register requires return short signed sizeof static struct switch template this throw true try
		typedef typeid typename union unsigned using virtual void volatile while xor main std
		all clean depend help install package preinstall test edit rebuild continuous experimental nightly
		c m rt dl pthread gtest gmock testing string vector list map set array time math limits memory new
		random regex thread queue stack deque bitset complex numeric ratio tuple utility variant optional any`
)

// convention is how a language joins the words of a name, and which names are
// taken.
func convention(language string) (join, taken string) {
	switch language {
	case "rust":
		return "_", rustNames
	case "python":
		return "_", pythonNames
	case "javascript", "typescript":
		return "-", scriptNames
	case "java":
		return "", javaNames
	case "cpp":
		return "_", cppNames
	}
	return "", goNames
}

// identifier turns any text into a name for a project that is legal in the
// language: lower-case ASCII letters and digits, words joined by "_" in Rust,
// C++ and Python, by "-" in JavaScript and TypeScript and by nothing in Go and
// Java. Accents are dropped and every other character separates words. A name
// that is taken gets "kata" at its end, one that begins with a digit at its
// beginning.
func identifier(language, project string) string {
	join, taken := convention(language)
	name := strings.Join(asciiWords(project), join)
	if name == "" {
		return fallback
	}
	if unicode.IsDigit(rune(name[0])) {
		name = fallback + join + name
	}
	name = strings.TrimRight(name[:min(len(name), longest)], join)
	if slices.Contains(strings.Fields(taken+" "+deviceNames), name) {
		name += join + fallback
	}
	return name
}

// asciiWords returns the runs of ASCII letters and digits of a text, in lower
// case and without accents.
func asciiWords(text string) []string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent, separated from its letter
			return -1
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFKD.String(text))
	return strings.Fields(plain)
}
