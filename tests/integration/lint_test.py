"""What scripts/lint finds, and what it lets pass: `co_await`, links of the documentation, words for users."""

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

    def test_words_that_the_project_does_not_use_are_found(self):
        self.write("README.md", "# Quick start\n`sound` and <a id=\"beside-x\"></a> ![a](beside.png)\n```\nbeside\n```\n")
        self.assertEqual(self.problems("check_words.py"), [])
        self.write("README.md", "# A\n\n- It is\n  beside it.\n\n| a | whoever |\n\nWhere a key is set, so many.\n")
        found = self.problems("check_words.py")
        for problem in ('README.md:3: "beside"', 'README.md:6: "whoever"', 'README.md:8: "Where a key is set,"',
                        'README.md:8: "so many"', "README.md: words: 4, at most 0 are allowed"):
            self.assertTrue(any(line.startswith(problem) for line in found), found)

    def test_long_sentences_and_lines_are_found(self):
        words = " ".join(["word"] * 13)
        table = "| " + "x" * 120 + " |\n\n[a](" + "y" * 120 + ")\n"
        self.write("docs/x.md", f"{words}. {words}\n{words[:50]}\n\n{table}")
        self.assertEqual(self.problems("check_words.py"), ["docs/x.md:1: 130 characters",
                                                           "docs/x.md: lines: 1, at most 0 are allowed"])
        self.write("docs/x.md", f"{words}\n{words}.\n")
        self.assertIn("docs/x.md: sentences: 1, at most 0 are allowed", self.problems("check_words.py"))

    def test_texts_of_commands_and_of_the_page_are_read(self):
        self.write("server/commands/x.cpp", '// beside it\nadd("--x", "This is " "beside it");\n')
        self.write("web/src/i18n/en/x.ts", "const x = { a: `sound of ${n} files`, sound: 1 };  // whoever\n")
        found = self.problems("check_words.py")
        self.assertEqual([line for line in found if '"' in line],
                         ['server/commands/x.cpp:2: "beside": say next to, besides, compared with',
                          'web/src/i18n/en/x.ts:1: "sound": say audio, recording'])

    def test_counts_of_words_only_shrink(self):
        self.write("README.md", "It is beside it.\n")
        self.write("scripts/words_allowed.txt", "# A comment\nREADME.md words 1\n")
        self.assertEqual(self.problems("check_words.py"), [])
        self.write("scripts/words_allowed.txt", "README.md words 2\ndocs/gone.md lines 3\n")
        self.assertEqual(self.problems("check_words.py"),
                         ["README.md: words: 1, and 2 are allowed: run scripts/check_words.py --write",
                          "docs/gone.md: lines: 0, and 3 are allowed: run scripts/check_words.py --write"])
        subprocess.run([sys.executable, ROOT / "scripts/check_words.py", "--write", self.folder], check=True, timeout=60)
        self.assertEqual(self.problems("check_words.py"), [])


if __name__ == "__main__":
    unittest.main()
