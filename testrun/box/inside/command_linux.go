package inside

import (
	"errors"
	"io"
	"strconv"
	"syscall"
)

// Command is what a box is to run. None of its texts holds a NUL byte.
type Command struct {
	Path, Dir string
	OneStream bool // standard error goes where standard output does
	Args, Env []string
}

// sizeDigits is how many digits tell the size of what follows them.
const sizeDigits = 10

// Text is the command as it is sent to a box.
func (c Command) Text() []byte {
	streams := "2"
	if c.OneStream {
		streams = "1"
	}
	var fields []byte
	for _, list := range [][]string{{c.Path, c.Dir, streams, strconv.Itoa(len(c.Args))}, c.Args, c.Env} {
		for _, field := range list {
			fields = append(append(fields, field...), 0)
		}
	}
	size := strconv.Itoa(len(fields))
	for len(size) < sizeDigits {
		size = "0" + size
	}
	return append([]byte(size), fields...)
}

// receive waits for the command. io.EOF means that there will be none.
func receive() (Command, error) {
	header, err := read(sizeDigits)
	if err != nil {
		return Command{}, err
	}
	size, err := strconv.Atoi(string(header))
	if err != nil {
		return Command{}, err
	}
	text, err := read(size)
	if err != nil {
		return Command{}, err
	}
	field := split(string(text), 0)
	if len(field) < 4 {
		return Command{}, errCut
	}
	args, err := strconv.Atoi(field[3])
	rest := field[4 : len(field)-1] // the last one ends, too
	if err != nil || args < 0 || args > len(rest) {
		return Command{}, errCut
	}
	return Command{Path: field[0], Dir: field[1], OneStream: field[2] == "1", Args: rest[:args], Env: rest[args:]}, nil
}

var errCut = errors.New("the command came in part")

// read reads as much, or fails.
func read(size int) ([]byte, error) {
	out := make([]byte, size)
	for got := 0; got < size; {
		n, err := syscall.Read(aliveFD, out[got:])
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return nil, err
		case n == 0:
			return nil, io.EOF
		default:
			got += n
		}
	}
	return out, nil
}

// split cuts a text at every separator.
func split(text string, separator byte) []string {
	var out []string
	start := 0
	for at := range len(text) {
		if text[at] == separator {
			out, start = append(out, text[start:at]), at+1
		}
	}
	return append(out, text[start:])
}
