#include <array>
#include <map>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/torch_archive.h"
#include "engine/weights/unpickler.h"
#include "engine/whisper/weights/readers.h"

// This file reads what torch.save writes: OpenAI's {"dims": {…}, "model_state_dict": {name:
// tensor}}, or a bare state_dict. It is a zip archive (<name>/data.pkl, <name>/data/<key>), or the
// form before PyTorch 1.6: five pickles, then every storage as its length and its numbers.
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

ParsedModel model_of(const PickleValue& root, const TorchStorages& storages) {
  if (root.kind != Kind::dict) damaged("pickle: is not a dict of tensors");
  ParsedModel model;
  const PickleValue* state_dict = root.find("model_state_dict");
  if (state_dict == nullptr) {
    model.tensors = tensor_table(root, storages);
    return model;
  }
  const PickleValue* dims = root.find("dims");
  if (state_dict->kind != Kind::dict || dims == nullptr || dims->kind != Kind::dict) {
    damaged("pickle: expected the dicts dims and model_state_dict");
  }
  model.declared_dims = dims_of(*dims);
  model.heads = HeadCounts{model.declared_dims->n_audio_head, model.declared_dims->n_text_head};
  model.tensors = tensor_table(*state_dict, storages);
  return model;
}

// Collects every storage that a tensor in the checkpoint refers to, by key: only there the legacy
// form has a storage's type.
void collect_types(const PickleValue& root, std::map<std::string_view, DType>& types) {
  const PickleValue* state_dict = root.find("model_state_dict");
  const PickleValue& table = state_dict != nullptr ? *state_dict : root;
  for (const PickleValue* item : table.items) {
    if (item->kind == Kind::tensor) types.emplace(item->storage->text, item->dtype);
  }
}

bool is_magic_number(const PickleValue& value) {
  constexpr std::string_view magic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
  return value.kind == Kind::big_integer && value.text == magic;
}

}  // namespace

ParsedModel parse_torch_zip(std::span<const std::byte> file) {
  const TorchArchive archive(file);
  return model_of(archive.root(), archive.storages());
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
