"""`scribed models check`: what is known of a model before anything is copied."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import nano_model  # noqa: E402
from model_store import FILES, MODEL_EXIT, NAME, ModelsTest, find_program  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parents[1] / "engine/whisper/weights/data"


class Check(ModelsTest):
    def folder(self, *names):
        folder = self.data / "mine"
        folder.mkdir(exist_ok=True)
        for name in names or FILES:
            (folder / name).write_bytes(FILES[name])
        return folder

    def report(self, *arguments, code=0):
        result = self.scribed("check", *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_describes_a_folder_and_copies_nothing(self):
        folder = self.folder()
        (folder / "optimizer.pt").write_bytes(b"x")
        report = self.report(folder)
        self.assertFalse(self.store.exists())
        self.assertEqual((report["usable"], report["refusal"], report["name"]), (True, None, "mine"))
        model = report["model"]
        self.assertEqual((model["format"], list(model["numbers"])), ("safetensors", ["f16"]))
        self.assertEqual(model["dims"]["n_vocab"], nano_model.N_VOCAB)
        self.assertEqual(model["languages"], ["en"])
        self.assertEqual(model["tokens_from"], ["tokenizer.json"])
        self.assertEqual(report["left_out"], [{"name": "optimizer.pt", "why": "a state of the training"}])
        self.assertEqual(report["bytes"], sum(len(data) for data in FILES.values()))
        self.assertEqual([(row["device"], row["compute_type"]) for row in report["memory"]],
                         [("cpu", "float32"), ("cpu", "bfloat16"), ("cpu", "int8"), ("gpu", "float32"),
                          ("gpu", "float16"), ("gpu", "bfloat16"), ("gpu", "int8")])
        self.assertEqual(report["run"]["device"], "cpu")
        self.assertIn(report["run"]["compute_type"], ("float32", "bfloat16", "int8"))
        # What was said is what happens.
        self.succeed("import", folder)
        self.assertEqual(sum(file["size"] for file in self.installed("mine")["files"]), report["bytes"])

    def test_writes_a_table_for_people(self):
        rows = self.succeed("check", self.folder()).stdout.splitlines()
        labels = [row[:16].strip() for row in rows]
        for label in ("path", "form", "precision", "encoder", "decoder", "vocabulary", "alignment heads",
                      "languages", "size", "import", "runs", "memory, cpu", "memory, gpu"):
            self.assertIn(label, labels)
        self.assertNotIn("note", labels)

    def test_fails_as_the_import_does_and_with_its_words(self):
        page = self.data / "page.pt"
        page.write_text("<html>404</html>")
        self.folder()
        cases = [[page], [self.data / "nothing"], [self.data / "mine", "--name", "a/b"],
                 *([path] for path in sorted(DATA.iterdir()) if path.suffix != ".py")]
        for arguments in cases:
            checked, imported = self.scribed("check", *arguments), self.scribed("import", *arguments)
            with self.subTest(arguments=arguments):
                self.assertEqual(checked.returncode, MODEL_EXIT)
                self.assertEqual((checked.returncode, checked.stderr),
                                 (imported.returncode, imported.stderr))

    def test_describes_what_it_refuses(self):
        result = self.fail_with(MODEL_EXIT, "multiples of 64", "check", DATA / "toy-int8.bin")
        self.assertIn("CTranslate2, binary version 6", result.stdout)
        self.assertNotIn("import  ", result.stdout)
        report = self.report(DATA / "toy-int8.bin", code=MODEL_EXIT)
        self.assertEqual(report["refusal"]["code"], "invalid_model")
        self.assertIn("i8", report["model"]["numbers"])
        self.assertIsNone(report["run"])

    def test_names_the_model_whose_vocabulary_is_lent(self):
        folder = self.folder("config.json", "model.safetensors")
        self.assertEqual(self.report(folder, code=MODEL_EXIT)["refusal"]["code"], "missing_vocabulary")
        self.succeed("pull", NAME)
        report = self.report(folder)
        self.assertEqual(report["vocabulary_of"], NAME)
        self.assertIn(f"vocabulary of the installed model {NAME}", self.succeed("check", folder).stdout)

    def test_describes_an_adapter_by_its_base(self):
        self.succeed("pull", NAME)
        folder = self.data / "adapter"
        folder.mkdir()
        config = {"peft_type": "LORA", "peft_version": "0.21.2",
                  "base_model_name_or_path": f"distil-whisper/{NAME}"}
        (folder / "adapter_config.json").write_text(json.dumps(config))
        layer = "base_model.model.model.decoder.layers.0.self_attn.q_proj"
        for width, fits in ((nano_model.WIDTH, True), (nano_model.WIDTH // 2, False)):
            (folder / "adapter_model.safetensors").write_bytes(nano_model.safetensors(shapes={
                f"{layer}.lora_A.weight": [1, width], f"{layer}.lora_B.weight": [width, 1]}))
            with self.subTest(width=width):
                report = self.report(folder, code=0 if fits else MODEL_EXIT)
                if fits:
                    self.assertEqual(report["adapter"], {"writer": "PEFT 0.21.2", "layers": 1, "rank": 1,
                                                         "numbers": {"f16": 2 * width}})
                else:
                    self.assertEqual(self.scribed("check", folder).stderr,
                                     self.scribed("import", folder).stderr)

    def test_describes_an_installed_model_by_its_name(self):
        self.succeed("pull", NAME)
        report = self.report(NAME)
        self.assertEqual((report["usable"], report["name"]), (True, NAME))
        self.assertEqual(self.report("nothing", code=MODEL_EXIT)["refusal"]["code"], "unknown_model")

    def test_reads_no_more_than_headers(self):
        """A model of 2 GB whose tensors are a hole: memory stays what it is for a small one."""
        folder = self.folder("tokenizer.json")
        width = 5120
        header, end = nano_model.safetensors_header(dict(nano_model.all_shapes(width)))
        text = json.dumps(header).encode()
        with open(folder / "model.safetensors", "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            file.truncate(8 + len(text) + end)
        self.assertGreater(end, 1_500_000_000)
        process = subprocess.Popen([find_program(), "models", "check", folder],
                                   env=self.environment(), stdout=subprocess.DEVNULL)
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(use.ru_maxrss, 400_000, "in KiB")


if __name__ == "__main__":
    unittest.main()
