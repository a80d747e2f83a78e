package main

import (
	"fmt"
	"strings"
)

// The start of a statement, as for TextMate.
const elStart = `\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*`

// emacs writes a major mode for emacs.
func emacs(w *words) string {
	var b strings.Builder
	fmt.Fprintf(&b, ";;; ibl-mode.el --- major mode for ibcheck scenarios  -*- lexical-binding: t; -*-\n\n")
	b.WriteString(";; Version: 1.0\n;; Package-Requires: ((emacs \"26.1\"))\n;; Keywords: languages\n;; URL: https://github.com/ibcheck/ibcheck\n\n")
	b.WriteString(";;; Commentary:\n\n;; Colours, comments and indentation for .ibl files; `ibcheck lsp' does the rest,\n;; by eglot or lsp-mode.\n;;\n")
	fmt.Fprintf(&b, ";; %s\n\n;;; Code:\n\n", generated)
	b.WriteString("(defvar ibl-font-lock-keywords\n  (list\n")
	for _, c := range w.classes {
		words := c.elWords()
		switch {
		case c.start:
			fmt.Fprintf(&b, "   (list (concat \"%s\\\\(\" %s \"\\\\)\\\\_>[^.*]\") 1 ''%s)\n", elStart, words, c.face)
		case c.field:
			fmt.Fprintf(&b, "   (list (concat \"[]A-Za-z0-9_*]\\\\.\\\\(\" %s \"\\\\)\\\\_>\") 1 ''%s)\n", words, c.face)
		default:
			fmt.Fprintf(&b, "   (list (concat \"\\\\(?:^\\\\|[^.A-Za-z0-9_]\\\\)\\\\(\" %s \"\\\\)\\\\_>\") 1 ''%s)\n", words, c.face)
		}
	}
	declaration := w.class("declaration")
	fmt.Fprintf(&b, "   (list (concat \"\\\\_<replicate[ \\t]+[A-Za-z0-9_]+[ \\t]+\\\\(\" %s \"\\\\)\\\\_>\") 1 ''%s)\n", declaration.elWords(), declaration.face)
	b.WriteString("   (list \"\\\\_<\\\\(?:assert\\\\|reach\\\\)[ \\t]+\\\\([A-Za-z_][A-Za-z0-9_*]*\\\\)\" 1 ''font-lock-function-name-face)\n")
	b.WriteString("   (list \"\\\\_<[0-9]+\\\\_>\" 0 ''font-lock-constant-face))\n  \"What `ibl-mode' colours: the words of the language, by their places.\")\n")
	b.WriteString(elRest)
	return b.String()
}

// elWords is a call of regexp-opt for a class's words with their long forms.
func (c *class) elWords() string {
	quoted := func(list []string) string {
		for i := range list {
			list[i] = `"` + list[i] + `"`
		}
		return "(regexp-opt '(" + strings.Join(list, " ") + "))"
	}
	words := quoted(append([]string(nil), c.words...))
	if len(c.long) > 0 {
		return fmt.Sprintf("%s \"?\" %s", quoted(append([]string(nil), c.long...)), words)
	}
	return words
}

// elRest is the part of the mode that no table is needed for.
const elRest = `
(defvar ibl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "." table)
    table)
  "Syntax table of ` + "`ibl-mode'" + `.")

(defcustom ibl-indent-offset 2
  "Columns that a block is indented by."
  :type 'integer
  :safe #'integerp
  :group 'languages)

(defun ibl-indent-line ()
  "Indent the current line by the braces around it."
  (interactive)
  (let* ((depth (save-excursion (back-to-indentation) (car (syntax-ppss))))
         (closes (save-excursion (back-to-indentation) (looking-at "[]})]")))
         (column (* ibl-indent-offset (max 0 (if closes (1- depth) depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode ibl-mode prog-mode "ibl"
  "Major mode for scenarios of ibcheck."
  (setq-local font-lock-defaults '(ibl-font-lock-keywords))
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "\\(?:#+\\|//+\\)[ \t]*")
  (setq-local comment-end "")
  (setq-local indent-line-function #'ibl-indent-line)
  (setq-local imenu-generic-expression
              '(("Nodes" "^[ \t]*\\(?:replicate[ \t]+[A-Za-z0-9_]+[ \t]+\\)?node[ \t]+\\([A-Za-z0-9_]+\\)" 1)
                ("Properties" "^[ \t]*\\(?:assert\\|reach\\)[ \t]+\\([A-Za-z0-9_*]+\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ibl\\'" . ibl-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(ibl-mode . ("ibcheck" "lsp"))))

(provide 'ibl-mode)
;;; ibl-mode.el ends here
`
