// Package syntax reads source code of many languages with one reader: which tests a
// file declares, what decides whether they pass, and which small changes of a source
// they should notice.
//
// A text becomes a [Tree]: tokens without comments and layout, and which brackets
// belong together. Everything else is asked of the tree. What one language has of its
// own is a [Page]: how its comments and literals look, how it binds names, what its
// operators and its assertions are called. The tree never fails: a text that is not
// well-formed, or hostile, has a tree too, and takes no longer to read.
package syntax
