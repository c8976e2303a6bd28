#include <array>
#include <map>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/unpickler.h"
#include "engine/weights/zip_archive.h"
#include "engine/whisper/weights/readers.h"

// This file reads what torch.save writes: OpenAI's {"dims": {…}, "model_state_dict": {name:
// tensor}}, or a bare state_dict. It is a zip archive (<name>/data.pkl, <name>/data/<key>), or the
// form before PyTorch 1.6: five pickles, then every storage as its length and its numbers.
namespace engine {
namespace {

using Kind = PickleValue::Kind;
using Storages = std::map<std::string_view, std::span<const std::byte>>;

std::size_t checked_product(std::int64_t numbers, DType dtype, std::string_view what) {
  return byte_size(what, dtype, std::array{numbers});
}

WeightTensor tensor_of(const std::string& name, const PickleValue& value,
                       const Storages& storages) {
  if (value.kind != Kind::tensor) damaged(name + ": is not a tensor");
  const auto found = storages.find(value.storage->text);
  if (found == storages.end()) {
    damaged(name + ": storage " + std::string(value.storage->text) + " is missing");
  }
  WeightTensor tensor;
  tensor.dtype = value.dtype;
  tensor.shape = value.shape;
  const std::size_t begin = checked_product(value.integer, value.dtype, name);
  const std::size_t size = byte_size(name, tensor.dtype, tensor.shape);
  const std::size_t available = found->second.size();
  if (begin > available || size > available - begin) {
    damaged(name + ": reaches beyond its storage of " + std::to_string(available) + " bytes");
  }
  tensor.data = found->second.subspan(begin, size);
  return tensor;
}

TensorTable table_of(const PickleValue& state_dict, const Storages& storages) {
  TensorTable tensors;
  for (std::size_t i = 0; i + 1 < state_dict.items.size(); i += 2) {
    const PickleValue& key = *state_dict.items[i];
    if (key.kind != Kind::text) damaged("pickle: a tensor whose name is not text");
    const std::string name(key.text);
    if (!tensors.emplace(name, tensor_of(name, *state_dict.items[i + 1], storages)).second) {
      damaged(name + ": appears twice");
    }
  }
  return tensors;
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

ParsedModel model_of(const PickleValue& root, const Storages& storages) {
  if (root.kind != Kind::dict) damaged("pickle: is not a dict of tensors");
  ParsedModel model;
  const PickleValue* state_dict = root.find("model_state_dict");
  if (state_dict == nullptr) {
    model.tensors = table_of(root, storages);
    return model;
  }
  const PickleValue* dims = root.find("dims");
  if (state_dict->kind != Kind::dict || dims == nullptr || dims->kind != Kind::dict) {
    damaged("pickle: expected the dicts dims and model_state_dict");
  }
  model.declared_dims = dims_of(*dims);
  model.heads = HeadCounts{model.declared_dims->n_audio_head, model.declared_dims->n_text_head};
  model.tensors = table_of(*state_dict, storages);
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
  constexpr std::string_view pickle_name = "data.pkl";
  const auto members = read_stored_zip(file);
  std::string folder;
  std::span<const std::byte> pickle;
  for (const auto& [name, bytes] : members) {
    if (name == pickle_name || name.ends_with("/" + std::string(pickle_name))) {
      folder = name.substr(0, name.size() - pickle_name.size());
      pickle = bytes;
      break;
    }
  }
  if (pickle.empty()) damaged("zip: holds no data.pkl, so it is no PyTorch checkpoint");
  const auto order = members.find(folder + "byteorder");
  if (order != members.end() && as_text(order->second) != "little") {
    refused("zip: the checkpoint was written on a big-endian machine",
            "Load it with PyTorch on this machine and save it again.");
  }
  const std::string data_folder = folder + "data/";
  Storages storages;
  for (const auto& [name, bytes] : members) {
    if (name.starts_with(data_folder)) {
      storages.emplace(std::string_view(name).substr(data_folder.size()), bytes);
    }
  }
  Unpickler unpickler(pickle, pickle_name);
  return model_of(unpickler.load(), storages);
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
  Storages storages;
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
