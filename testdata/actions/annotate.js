// Prints annotations, given as JSON on the standard input, as the toolkit of GitHub does.
const core = require(process.argv[2] + "/node_modules/@actions/core");
for (const a of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  const where = { title: a.title, file: a.file, startLine: a.line || undefined, startColumn: a.col || undefined };
  (a.level === "error" ? core.error : core.warning)(a.text, where);
}
