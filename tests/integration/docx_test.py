"""Transcripts as documents for word processors, by all ways that give formats."""

import io
import unittest
import zipfile
from xml.etree import ElementTree

from daemon import DaemonTest

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def paragraphs_of(file):
    """The texts of a document's paragraphs; every part has to be XML."""
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        assert archive.testzip() is None
        parts = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist()}
    assert list(parts)[0] == "[Content_Types].xml"
    named = {one.get("PartName", "")[1:] for one in parts["[Content_Types].xml"]} - {""}
    assert named <= set(parts), named
    body = parts["word/document.xml"].find(f"{WORD}body")
    return ["".join(text.text or "" for text in paragraph.iter(f"{WORD}t"))
            for paragraph in body.iter(f"{WORD}p")]


class DocxTest(DaemonTest):
    def test_of_a_job(self):
        daemon = self.start()
        job = daemon.submit(self.sound(12))
        daemon.wait_for_job(job)
        answer = daemon.get(f"/v1/jobs/{job}/transcript?format=docx")
        self.assertEqual((answer.status, answer.headers["content-type"]), (200, TYPE))
        paragraphs = paragraphs_of(answer.body)
        self.assertEqual(paragraphs[:2], ["talk", "0:00"])
        self.assertIn("Segment 0. Segment 1.", paragraphs[2])
        self.assertEqual(answer.body,
                         daemon.get(f"/v1/jobs/{job}/transcript?format=docx").body)

    def test_names_channels(self):
        daemon = self.start()
        job = daemon.submit(self.sound(6, channels=2), channels="split",
                            channel_labels='["Ada & Co", "<Tom>"]')
        daemon.wait_for_job(job)
        paragraphs = paragraphs_of(daemon.get(f"/v1/jobs/{job}/transcript?format=docx").body)
        self.assertIn("Ada & Co  0:00", paragraphs)
        self.assertIn("<Tom>  0:00", paragraphs)

    def test_of_the_command_is_a_file(self):
        sound = self.folder / "interview.wav"
        sound.write_bytes(self.sound(6))
        target = self.folder / "out.docx"
        ended = self.run_scribed("--format", "docx", "--output", target, sound)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(paragraphs_of(target.read_bytes())[0], "interview")
        refused = self.run_scribed("--format", "docx", sound)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("a docx is a file", refused.stderr)

    def test_of_a_running_server(self):
        daemon = self.start()
        sound = self.folder / "interview.wav"
        sound.write_bytes(self.sound(6))
        target = self.folder / "out.docx"
        ended = self.run_scribed("--server", f"http://127.0.0.1:{daemon.port}", "--format", "docx",
                                 "--output", target, sound)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(any("Segment 0." in text for text in paragraphs_of(target.read_bytes())))


if __name__ == "__main__":
    unittest.main()
