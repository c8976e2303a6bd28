#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/weights/byte_reader.h"
#include "engine/weights/torch_archive.h"
#include "engine/weights/unpickler.h"
#include "engine/whisper/weights/json_file.h"
#include "engine/whisper/weights/readers.h"

// This file reads what torch.save writes: OpenAI's {"dims": {…}, "model_state_dict": {name:
// tensor}}, a bare state_dict, or one among what a training keeps (Lightning, DeepSpeed). It is a
// zip archive (<name>/data.pkl, <name>/data/<key>), or the form before PyTorch 1.6: five pickles,
// then every storage as its length and its numbers.
namespace engine {
namespace {

using Kind = PickleValue::Kind;
std::size_t checked_product(std::int64_t numbers, DType dtype, std::string_view what) {
  return byte_size(what, dtype, std::array{numbers});
}

int dimension(const PickleValue& dims, const char* name) {
  const PickleValue* value = dims.find(name);
  if (value == nullptr || value->kind != Kind::integer || value->integer < 1 ||
      value->integer > INT32_MAX) {
    damaged(std::string("dims.") + name + ": missing or impossible");
  }
  return static_cast<int>(value->integer);
}

ModelDims dims_of(const PickleValue& dims) {
  ModelDims d;
  d.n_mels = dimension(dims, "n_mels");
  d.n_audio_ctx = dimension(dims, "n_audio_ctx");
  d.n_audio_state = dimension(dims, "n_audio_state");
  d.n_audio_head = dimension(dims, "n_audio_head");
  d.n_audio_layer = dimension(dims, "n_audio_layer");
  d.n_vocab = dimension(dims, "n_vocab");
  d.n_text_ctx = dimension(dims, "n_text_ctx");
  d.n_text_state = dimension(dims, "n_text_state");
  d.n_text_head = dimension(dims, "n_text_head");
  d.n_text_layer = dimension(dims, "n_text_layer");
  return d;
}

// Returns the table of tensors in what was saved: the saved dict itself, or an entry of it.
const PickleValue& state_dict_of(const PickleValue& root) {
  if (root.kind != Kind::dict) {
    refused("pickle: is not a dict of tensors",
            "Save the model's state_dict with torch.save, or use a safetensors file.");
  }
  for (const char* key : {"model_state_dict", "state_dict", "model", "module"}) {
    const PickleValue* value = root.find(key);
    if (value != nullptr && value->kind == Kind::dict) return *value;
  }
  return root;
}

// Only OpenAI's checkpoints have the dimensions beside the tensors; Lightning names its version.
std::string writer_of(const PickleValue& root, bool has_dims) {
  if (has_dims) return "openai/whisper";
  const PickleValue* version = root.find("pytorch-lightning_version");
  if (version == nullptr || version->kind != Kind::text) return "";
  return "PyTorch Lightning " + printable(version->text);
}

ParsedModel model_of(const PickleValue& root, const TorchStorages& storages) {
  ParsedModel model;
  const PickleValue& state_dict = state_dict_of(root);
  const PickleValue* dims = root.find("dims");
  if (dims != nullptr && &state_dict != &root) {
    if (dims->kind != Kind::dict) damaged("pickle: dims is not a dict");
    model.declared_dims = dims_of(*dims);
    model.heads = HeadCounts{model.declared_dims->n_audio_head, model.declared_dims->n_text_head};
  }
  model.writer = writer_of(root, model.declared_dims.has_value());
  model.tensors = tensor_table(state_dict, storages);
  return model;
}

// Collects the storage of every tensor in the checkpoint, those of an optimizer's states included,
// by key: only there the legacy form has a storage's type.
void collect_types(const PickleValue& root, std::map<std::string_view, DType>& types) {
  std::vector<const PickleValue*> open{&root};
  std::set<const PickleValue*> seen{&root};
  while (!open.empty()) {
    const PickleValue& value = *open.back();
    open.pop_back();
    if (value.kind == Kind::tensor) types.emplace(value.storage->text, value.dtype);
    for (const PickleValue* item : value.items) {
      if (seen.insert(item).second) open.push_back(item);
    }
  }
}

// Lightning names its version near the begin of the pickle, which is the first of the archive.
bool is_lightning(std::span<const std::byte> file) {
  constexpr std::size_t begin = 1 << 20;
  const auto text = as_text(file.subspan(0, std::min(begin, file.size())));
  return text.find("pytorch-lightning_version") != text.npos;
}

bool is_magic_number(const PickleValue& value) {
  constexpr std::string_view magic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
  return value.kind == Kind::big_integer && value.text == magic;
}

}  // namespace

ParsedModel parse_torch_zip(std::span<const std::byte> file) {
  try {
    const TorchArchive archive(file);
    return model_of(archive.root(), archive.storages());
  } catch (const Exception& e) {
    if (e.error.code != Errc::refused_model || !is_lightning(file)) throw;
    refused("a checkpoint of Lightning with more than tensors and numbers in it",
            "Save its weights alone, in Python: torch.save(torch.load(\"FILE\", weights_only=False)"
            "[\"state_dict\"], \"model.pt\").");
  }
}

ParsedModel parse_torch_legacy(std::span<const std::byte> file) {
  constexpr std::int64_t known_protocol = 1001;
  Unpickler unpickler(file, "checkpoint");
  if (!is_magic_number(unpickler.load())) {
    damaged("pickle: does not begin with PyTorch's magic number");
  }
  if (const auto& protocol = unpickler.load();
      protocol.kind != Kind::integer || protocol.integer != known_protocol) {
    damaged("pickle: unknown protocol of a legacy checkpoint");
  }
  const PickleValue& system = unpickler.load();
  const PickleValue* little = system.find("little_endian");
  if (little != nullptr && little->kind == Kind::boolean && little->integer == 0) {
    refused("checkpoint: was written on a big-endian machine",
            "Load it with PyTorch on this machine and save it again.");
  }
  const PickleValue& root = unpickler.load();
  const PickleValue& keys = unpickler.load();
  if (keys.kind != Kind::list) damaged("pickle: has no list of storages");

  std::map<std::string_view, DType> types;
  collect_types(root, types);
  ByteReader reader(file, "checkpoint");
  reader.take(unpickler.offset());
  TorchStorages storages;
  for (const PickleValue* key : keys.items) {
    const auto type = key->kind == Kind::text ? types.find(key->text) : types.end();
    if (type == types.end()) damaged("pickle: a storage that no tensor uses");
    const auto numbers = reader.read<std::int64_t>();
    const auto bytes = reader.take(checked_product(numbers, type->second, type->first));
    if (!storages.emplace(type->first, bytes).second) damaged("pickle: a storage appears twice");
  }
  return model_of(root, storages);
}

}  // namespace engine
