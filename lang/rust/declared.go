package rust

// declared names the test functions, in order.
func declared(test string) []string {
	r := parse(test)
	var out []string
	for i := 0; i < len(r.tokens); {
		if r.tokens[i].blank() {
			i++
			continue
		}
		end, isTest := r.attributes(i, testAttribute)
		if isTest {
			if name := r.functionName(end); name != "" {
				out = append(out, name)
			}
		}
		i = max(end, i+1)
	}
	return out
}

// functionName is the name of the function that begins at i, "" where none does.
func (r source) functionName(i int) string {
	for ; i < len(r.tokens); i++ {
		switch {
		case r.tokens[i].blank(), r.is(i, "pub"), r.is(i, "async"), r.is(i, "unsafe"), r.is(i, "const"), r.is(i, "extern"),
			r.tokens[i].kind == textToken:
		case r.is(i, "("):
			i = r.group(i) - 1
		case r.is(i, "fn"):
			if name := r.solid(i + 1); name < len(r.tokens) && r.tokens[name].kind == wordToken {
				return r.tokens[name].text(r.src)
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}
