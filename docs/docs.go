// Package docs holds those pages of the documentation that the program shows.
package docs

import _ "embed"

// Facts is the page of what the model is built from, numbered, as Markdown.
//
//go:embed facts.md
var Facts string
