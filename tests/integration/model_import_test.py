"""`scribed models import`: models that are there already."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import nano_model  # noqa: E402
from model_store import FILES, MODEL_EXIT, NAME, ModelsTest  # noqa: E402


class Import(ModelsTest):
    def folder(self, *names):
        folder = self.data / "mine"
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_bytes(FILES[name])
        return folder

    def test_takes_a_folder_and_leaves_other_files(self):
        folder = self.folder("config.json", "tokenizer.json", "model.safetensors")
        (folder / "notes.txt").write_text("private")
        self.succeed("import", folder)
        model = self.installed("mine")
        self.assertEqual({file["name"] for file in model["files"]},
                         {"config.json", "tokenizer.json", "model.safetensors"})
        self.fail_with(MODEL_EXIT, "already", "import", folder)
        self.succeed("import", folder, "--force")
        self.succeed("import", folder, "--name", "turbo")
        self.assertTrue((self.store / "large-v3-turbo").exists(), "an alias is its model's name")

    def test_takes_nothing_that_a_link_leads_to_but_models_and_vocabularies(self):
        folder = self.folder("config.json", "tokenizer.json", "model.safetensors")
        secret = self.data / "secret"
        secret.write_text("root:x")
        for name in ("gpt2.tiktoken", "preprocessor_config.json"):
            (folder / name).symlink_to(secret)
        for name in ("tokenizer.json", "model.safetensors"):  # as in a cache of the hub
            (folder / name).rename(self.data / name)
            (folder / name).symlink_to(self.data / name)
        self.succeed("import", folder)
        self.assertEqual({file["name"] for file in self.installed("mine")["files"]},
                         {"config.json", "tokenizer.json", "model.safetensors"})

    def test_takes_a_folder_whose_name_is_no_utf8(self):
        folder = self.folder("config.json", "tokenizer.json", "model.safetensors")
        named = folder.rename(self.data / os.fsdecode(b"mod\xe8le"))
        self.succeed("import", named, "--name", "mine")
        self.installed("mine")

    def test_borrows_a_vocabulary_of_the_family(self):
        folder = self.folder("config.json", "model.safetensors")
        result = self.fail_with(MODEL_EXIT, "English vocabulary", "import", folder)
        self.assertIn("scribed models pull tiny.en", result.stderr)
        self.assertFalse((self.store / "mine").exists())
        self.succeed("pull", NAME)
        self.succeed("import", folder / "model.safetensors")
        self.assertIn("tokenizer.json", {f["name"] for f in self.installed("mine")["files"]})

    def test_takes_the_best_of_a_folder_that_a_training_left(self):
        folder = self.folder("config.json", "tokenizer.json", "model.safetensors")
        for name in ("training_args.bin", "optimizer.pt", "rng_state.pth"):
            (folder / name).write_bytes(b"no model")
        self.assertNotIn("several", self.succeed("import", folder).stderr)
        (folder / "model.fp16.safetensors").write_bytes(FILES["model.safetensors"])
        result = self.succeed("import", folder, "--force")
        self.assertIn("Of several models in the folder, model.safetensors is taken, and not "
                      "model.fp16.safetensors.", result.stderr)
        self.assertEqual({file["name"] for file in self.installed("mine")["files"]},
                         {"config.json", "tokenizer.json", "model.safetensors"})

    def test_merges_an_adapter_with_its_base(self):
        folder = self.data / "adapter"
        folder.mkdir()
        config = {"peft_type": "LORA", "lora_alpha": 2, "base_model_name_or_path": f"distil-whisper/{NAME}"}
        (folder / "adapter_config.json").write_text(json.dumps(config))
        layer = "base_model.model.model.decoder.layers.0.self_attn.q_proj"
        width = nano_model.WIDTH
        (folder / "adapter_model.safetensors").write_bytes(nano_model.safetensors(shapes={
            f"{layer}.lora_A.weight": [1, width], f"{layer}.lora_B.weight": [width, 1]}))
        result = self.fail_with(MODEL_EXIT, f"changes the model distil-whisper/{NAME}, which is not here",
                                "import", folder)
        self.assertIn(f"scribed models pull {NAME}", result.stderr)
        self.succeed("pull", NAME)
        result = self.succeed("import", folder)
        self.assertIn("The adapter was merged with", result.stderr)
        names = {file["name"] for file in self.installed("adapter")["files"]}
        self.assertEqual(names, {file["name"] for file in self.installed(NAME)["files"]})
        self.succeed("import", folder, "--base", self.store / NAME, "--name", "named")
        self.installed("named")

    def test_refuses_what_is_no_model(self):
        page = self.data / "base.pt"
        page.write_text("<html>404</html>")
        self.fail_with(MODEL_EXIT, "a web page", "import", page)
        self.fail_with(MODEL_EXIT, "does not exist", "import", self.data / "nothing")
        self.fail_with(MODEL_EXIT, "no model file", "import", tempfile.mkdtemp(dir=self.data))
        self.fail_with(MODEL_EXIT, "cannot be the name", "import",
                       self.folder(*FILES), "--name", "a/b")

    def test_refuses_a_truncated_model(self):
        folder = self.folder(*FILES)
        os.truncate(folder / "model.safetensors", 500_000)
        self.assertEqual(self.scribed("import", folder).returncode, MODEL_EXIT)
        self.assertFalse((self.store / "mine").exists())


if __name__ == "__main__":
    unittest.main()
