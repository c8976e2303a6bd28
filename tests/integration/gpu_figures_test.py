"""The table of scripts/check_gpu: its arithmetic, and what it says of the aims."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import gpu_figures  # noqa: E402


def report(model="large-v3", encoder=5.0, batches=None):
    steps = [{"batch": batch, "time": {"ms": ms}} for batch, ms in (batches or {1: 0.8}).items()]
    return {"model": model, "encoder": {"ms": encoder}, "steps": steps,
            "encoder_batches": [{"batch": 16, "ms_of_a_window": 3.0}]}


class GpuFiguresTest(unittest.TestCase):
    def test_a_token_costs_its_part_of_the_step(self):
        rows = gpu_figures.figures_of(report(batches={1: 0.8, 128: 12.8}))
        self.assertIn(("large-v3", "ms a token", 1, 0.8), rows)
        self.assertIn(("large-v3", "ms a token", 128, 0.1), rows)

    def test_the_speed_counts_an_encoder_pass_and_a_hundred_tokens(self):
        self.assertAlmostEqual(gpu_figures.times_real_time(5, 12.8, 128), 30000 / (5 + 10))
        rows = gpu_figures.figures_of(report(batches={128: 12.8}))
        self.assertIn(("large-v3", "x real time", 128, 30000 / (3 + 10)), rows)

    def test_an_aim_is_met_or_missed(self):
        aims = gpu_figures.AIMS
        self.assertEqual(gpu_figures.verdict(("large-v3", "ms a token", 1, 0.8), aims), "met")
        self.assertEqual(gpu_figures.verdict(("large-v3", "ms a token", 1, 1.0), aims), "missed")
        self.assertEqual(gpu_figures.verdict(("large-v3", "x real time", 128, 999), aims), "missed")
        self.assertEqual(gpu_figures.verdict(("base", "x real time", 128, 1), aims), "")

    def test_aims_are_for_the_cards_that_they_were_set_for(self):
        self.assertTrue(gpu_figures.aims_on("NVIDIA H200"))
        self.assertFalse(gpu_figures.aims_on("NVIDIA L4"))

    def test_the_table_names_what_was_missed(self):
        text = gpu_figures.table(gpu_figures.figures_of(report(batches={1: 1.5})),
                                 gpu_figures.AIMS)
        line = next(line for line in text.splitlines() if "ms a token" in line)
        self.assertEqual(line.split(), ["large-v3", "ms", "a", "token", "1", "1.500", "at", "most",
                                        "0.9:", "missed"])
        self.assertNotIn("aim ", text.splitlines()[2])

    def test_what_is_slower_than_faster_whisper_is_named(self):
        peer = report(model="base" + gpu_figures.PEER, encoder=1.0, batches={1: 0.9, 128: 12.8})
        ours = report(model="/models/base", encoder=2.0, batches={1: 0.8, 128: 25.6})
        lines = gpu_figures.behind_peers(gpu_figures.figures_of(ours) + gpu_figures.figures_of(peer))
        self.assertEqual(["base, encoder ms a window at batch 1: 2.000, faster-whisper 1.000",
                          "base, ms a token at batch 128: 0.200, faster-whisper 0.100"], lines[:2])
        self.assertFalse(any("ms a token at batch 1:" in line for line in lines), lines)
        self.assertTrue(any("x real time at batch 128" in line for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
