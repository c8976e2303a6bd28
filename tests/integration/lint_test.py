"""What scripts/lint finds, and what it lets pass: where `co_await` stands, and links of the documentation."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from scribed_command import ROOT

RIGHT = """
const auto v = co_await x(a ? b : c);
if (v && w) co_await z();
for (const auto i : v) co_await z(i);
auto&& v = co_await x();
co_return co_await x();
spawn([](int a) -> awaitable<int> { const auto v = co_await x(a); co_return v; }, y);
switch (n) { case 1: co_await x(); }
const char* text = "if (co_await x())";  // if (co_await x())
"""
WRONG = """
if (co_await x()) y();
while (!co_await x()) y();
for (const auto i : co_await x()) y();
if (const auto v = co_await x(); v) y();
const auto v = co_await x() ? 1 : 2;
const auto v = a && co_await x();
const auto v = co_await x() || a;
const auto v = (co_await x()).value();
foo(co_await x());
return Foo{co_await x()};
const int v = 1 + co_await x();
"""


class LintTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-lint-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def problems(self, script):
        ended = subprocess.run([sys.executable, ROOT / "scripts" / script, self.folder],
                               capture_output=True, text=True, timeout=60)
        found = ended.stderr.splitlines()
        self.assertEqual(ended.returncode, 1 if found else 0, ended.stderr)
        return found

    def test_co_await_is_a_statement_or_what_is_assigned_or_returned(self):
        self.write("server/right.cpp", "void f() {" + RIGHT + "}\n")
        self.assertEqual(self.problems("check_coroutines.py"), [])

    def test_co_await_within_an_expression_is_found(self):
        self.write("tests/wrong.h", "void f() {" + WRONG + "}\n")
        lines = [int(problem.split(":")[1]) for problem in self.problems("check_coroutines.py")]
        self.assertEqual(lines, list(range(2, 2 + len(WRONG.split("\n")) - 2)))

    def test_links_lead_somewhere(self):
        self.write("README.md", "# A `b` c\n[one](docs/x.md#two-words-1) [itself](#a-b-c)\n```\n[no](link)\n```\n")
        self.write("docs/x.md", "## Two words\n## Two words\n[up](../README.md) [web](https://example.org/x#y)\n")
        self.assertEqual(self.problems("check_docs.py"), [])
        self.write("docs/x.md", "[gone](y.md) [out](../../etc) [head](../README.md#nowhere) ![p](p.png)\n")
        found = "\n".join(self.problems("check_docs.py"))
        for link in ("y.md leads nowhere", "../../etc leads nowhere", "#nowhere: there is no such heading",
                     "p.png leads nowhere", "docs/x.md#two-words-1: there is no such heading"):
            self.assertIn(link, found)

    def test_a_heading_may_keep_its_old_anchor(self):
        self.write("README.md", '# A\n[b](#old) [c](#new)\n<a id="old"></a>\n## New\n')
        self.assertEqual(self.problems("check_docs.py"), [])

    def test_the_contents_of_a_page_name_all_of_its_sections(self):
        self.write("README.md", "# A\n")
        page = "Contents: [one](#one) ·\n[two words](#two-words)\n\n## One\n### Below\n## Two words\n"
        self.write("docs/x.md", page)
        self.assertEqual(self.problems("check_docs.py"), [])
        self.write("docs/x.md", page + "## Three\n")
        self.assertEqual(self.problems("check_docs.py"), ["docs/x.md: #three is not among its contents"])

    def test_sources_that_are_named_are_there(self):
        self.write("server/a/b.cpp", "")
        self.write("README.md", "`server/a`, `server/a/b.*`, `server/a/b`, `server/a/`, `tests/<folder>`\n")
        self.write("CHANGELOG.md", "`server/gone`\n")
        self.assertEqual(self.problems("check_docs.py"), [])
        self.write("docs/x.md", "`server/a/c.cpp`\n")
        self.assertEqual(self.problems("check_docs.py"), ["docs/x.md: server/a/c.cpp is not there"])

    def test_the_readme_is_short(self):
        self.write("README.md", "line\n" * 121)
        self.assertIn("121 lines", self.problems("check_docs.py")[0])


if __name__ == "__main__":
    unittest.main()
