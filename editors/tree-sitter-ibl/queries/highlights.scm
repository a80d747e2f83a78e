; Generated from the tables of the language by go generate ./internal/syntax; changes go there.

(identifier) @variable
(control) @keyword.conditional
(declaration) @keyword
(verb) @function.call
(attribute) @attribute
(dial) @variable.parameter
(field) @property
(opcode) @type
(flag) @keyword.modifier
(option) @attribute
(operator) @keyword.operator
(predicate) @function.builtin
(constant) @constant.builtin
(verdict) @boolean
(profile) @constant
(joining) @keyword
((declaration) @keyword . (identifier) @function (#any-of? @keyword "assert" "reach"))
((declaration) @keyword . (identifier) @module (#eq? @keyword "node"))
(string) @string
(number) @number
(symbol) @operator
(comment) @comment
["{" "}" "[" "]" "(" ")"] @punctuation.bracket
"." @punctuation.delimiter
