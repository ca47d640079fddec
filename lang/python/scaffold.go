package python

import (
	"embed"

	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

//go:embed all:scaffold
var scaffolds embed.FS

// template is an empty project.
func template() scaffold.Template {
	return scaffold.Template{Files: scaffolds, Root: "scaffold", Join: "_", Taken: takenNames}
}

// Keywords, what tests and runners are called, and the modules of Python's standard library that a kata is likely to be named after.
const takenNames = `and as assert async await break class continue def del elif else except false finally
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
