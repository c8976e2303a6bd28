"""Models whose vocabulary was changed, as `tokenizer.add_tokens` and `resize_token_embeddings` of
transformers leave them: the rows of the tokens that were there are the same, so the text is, too.

SCRIBED_MODELS names a folder with CTranslate2 models. Skipped without base and tiny.en, recordings or
numpy.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    np = None

from recordings import fast_program, recording
from scribed_command import ROOT

MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
sys.path.insert(0, str(ROOT / "tools"))
EMBEDDING = "model.decoder.embed_tokens.weight"


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    types = {"F16": np.float16, "F32": np.float32}
    tensors = {}
    for name, facts in header.items():
        begin, end = (8 + length + offset for offset in facts["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], types[facts["dtype"]]).reshape(facts["shape"])
    return tensors


def ids_of(tokenizer):
    return {token["content"]: token["id"] for token in tokenizer["added_tokens"]}


def stated(ids, multilingual):
    """The generation config that belongs to a tokenizer."""
    config = {"no_timestamps_token_id": ids["<|notimestamps|>"], "eos_token_id": ids["<|endoftext|>"],
              "decoder_start_token_id": ids["<|startoftranscript|>"], "is_multilingual": multilingual}
    if multilingual:
        block = range(ids["<|startoftranscript|>"] + 1, ids["<|translate|>"])
        config["lang_to_id"] = {name: i for name, i in ids.items() if i in block}
        config["task_to_id"] = {task: ids[f"<|{task}|>"] for task in ("transcribe", "translate")}
    return config


@unittest.skipUnless(np, "needs numpy")
class ChangedVocabulary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scribed-vocabulary-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def changed(self, name, added, rows):
        """A folder of Hugging Face with so many tokens more, and rows for them and for padding."""
        model = MODELS / name
        if not (model / "model.bin").is_file():
            self.skipTest(f"model {name} is not installed")
        subprocess.run([sys.executable, ROOT / "tools/convert_weights.py", model, self.folder,
                        "safetensors", "--name", name], check=True, stdout=subprocess.DEVNULL)
        folder = self.folder / "safetensors"
        tensors = read_safetensors(folder / "model.safetensors")
        mean = tensors[EMBEDDING].astype(np.float32).mean(axis=0, keepdims=True)
        more = np.repeat(mean.astype(tensors[EMBEDDING].dtype), rows, axis=0)
        tensors[EMBEDDING] = np.concatenate([tensors[EMBEDDING], more])
        from convert_weights import write_safetensors
        write_safetensors(folder / "model.safetensors", tensors)
        self.write_tokens(folder, model, added, multilingual=not name.endswith(".en"))
        return folder

    def write_tokens(self, folder, model, added, multilingual):
        tokenizer = json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))
        begin = ids_of(tokenizer)["<|notimestamps|>"] + 1
        names = [f"<|{i * 0.02:.2f}|>" for i in range(1501)] + [f"<|mark{i}|>" for i in range(added)]
        tokenizer["added_tokens"] += [
            {"id": begin + i, "content": content, "special": content.startswith("<|mark")}
            for i, content in enumerate(names)]
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
        config = json.loads((folder / "generation_config.json").read_text())
        config |= stated(ids_of(tokenizer), multilingual)
        (folder / "generation_config.json").write_text(json.dumps(config))

    def text(self, model, sound, *options):
        command = [fast_program(), "transcribe", "--quiet", "--model", model, "--temperature", "0",
                   "--compute-type", "float32", *options, sound]
        result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_text_is_that_of_the_model_as_it_was(self):
        for name, sound, added, rows in (("base", "fr-nogo.wav", 1, 1), ("base", "fr-nogo.wav", 3, 39),
                                         ("tiny.en", "en-nogo.wav", 0, 1)):
            with self.subTest(name, rows=rows):
                changed = self.changed(name, added, rows)
                expected = self.text(MODELS / name, recording(sound))
                self.assertGreater(len(expected), 10)
                self.assertEqual(self.text(changed, recording(sound)), expected)

    def test_tokens_that_contradict_each_other_are_refused_at_import(self):
        folder = self.changed("base", 0, 0)
        config = json.loads((folder / "generation_config.json").read_text())
        config["no_timestamps_token_id"] += 1
        (folder / "generation_config.json").write_text(json.dumps(config))
        result = subprocess.run([fast_program(), "models", "import", folder], capture_output=True,
                                text=True, env={**os.environ, "SCRIBED_DATA_DIR": str(self.folder)},
                                check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("50364 in generation_config.json and 50363", result.stderr)


if __name__ == "__main__":
    unittest.main()
