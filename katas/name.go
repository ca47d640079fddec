package katas

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// fallback names a project whose own name leaves nothing to use, and keeps
	// a name that is taken or begins with a digit apart.
	fallback = "kata"
	// longest keeps the names of build products below what file systems allow.
	longest = 64
)

// Names that mean something to a compiler, a standard library or Windows, where
// no file can be called so.
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
)

// identifier turns any text into a name for a project that is legal in the
// language: lower-case ASCII letters and digits, words joined by "_" in Rust
// and by nothing in Go. Accents are dropped and every other sign parts words.
// A name that is taken gets "kata" behind it, one that begins with a digit gets
// it in front.
func identifier(language, project string) string {
	join, taken := "", goNames
	if language == "rust" {
		join, taken = "_", rustNames
	}
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
		case unicode.Is(unicode.Mn, r): // an accent, set apart from its letter
			return -1
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFKD.String(text))
	return strings.Fields(plain)
}
