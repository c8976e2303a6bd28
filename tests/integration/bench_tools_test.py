"""scripts/bench peers: which engines take part in what."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from bench.peers import ENGINES, taking_part  # noqa: E402


class TakingPartTest(unittest.TestCase):
    def test_all_engines_of_a_work_take_part_unless_some_are_asked_for(self):
        self.assertEqual(taking_part("sizes", None, None), ENGINES["sizes"])
        asked = ["faster-whisper:int8", "whisper.cpp:q8_0"]
        self.assertEqual(taking_part("sizes", asked, None), ["faster-whisper:int8"])

    def test_openvino_is_left_out_where_it_cannot_run(self):
        at_avx2 = taking_part("long", None, "avx2")
        self.assertIn("scribed:int8", at_avx2)
        self.assertFalse([engine for engine in at_avx2 if engine.startswith("openvino")])
        self.assertIn("openvino:int8:bf16", taking_part("long", None, "avx_vnni"))


if __name__ == "__main__":
    unittest.main()
