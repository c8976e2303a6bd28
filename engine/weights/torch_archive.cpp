#include "engine/weights/torch_archive.h"

#include "engine/weights/byte_reader.h"
#include "engine/weights/zip_archive.h"

namespace engine {
namespace {

using Kind = PickleValue::Kind;
using Members = std::map<std::string, std::span<const std::byte>>;

constexpr std::string_view pickle_name = "data.pkl";

WeightTensor tensor_of(const std::string& name, const PickleValue& value,
                       const TorchStorages& storages) {
  if (value.kind != Kind::tensor) {
    refused(name + ": is not a tensor", "Save the model's state_dict alone, with torch.save.");
  }
  const auto found = storages.find(value.storage->text);
  if (found == storages.end()) {
    damaged(name + ": storage " + std::string(value.storage->text) + " is missing");
  }
  WeightTensor tensor;
  tensor.dtype = value.dtype;
  tensor.shape = value.shape;
  const std::size_t begin = byte_size(name, value.dtype, std::span(&value.integer, 1));
  const std::size_t size = byte_size(name, tensor.dtype, tensor.shape);
  const std::size_t available = found->second.size();
  if (begin > available || size > available - begin) {
    damaged(name + ": reaches beyond its storage of " + std::to_string(available) + " bytes");
  }
  tensor.data = found->second.subspan(begin, size);
  return tensor;
}

// Returns the folder that the archive keeps its members in: "<name>/", or nothing.
std::string folder_of(const Members& members) {
  for (const auto& [name, bytes] : members) {
    if (name == pickle_name || name.ends_with("/" + std::string(pickle_name))) {
      return name.substr(0, name.size() - pickle_name.size());
    }
  }
  refused("zip: holds no data.pkl, so it is no PyTorch checkpoint",
          "Use a checkpoint that torch.save wrote.");
}

std::span<const std::byte> pickle_of(const Members& members) {
  const std::string folder = folder_of(members);
  const auto order = members.find(folder + "byteorder");
  if (order != members.end() && as_text(order->second) != "little") {
    refused("zip: the checkpoint was written on a big-endian machine",
            "Load it with PyTorch on this machine and save it again.");
  }
  return members.at(folder + std::string(pickle_name));
}

TorchStorages storages_of(const Members& members) {
  const std::string data_folder = folder_of(members) + "data/";
  TorchStorages storages;
  for (const auto& [name, bytes] : members) {
    if (name.starts_with(data_folder)) {
      storages.emplace(std::string_view(name).substr(data_folder.size()), bytes);
    }
  }
  return storages;
}

}  // namespace

TensorTable tensor_table(const PickleValue& state_dict, const TorchStorages& storages) {
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

TorchArchive::TorchArchive(std::span<const std::byte> file)
    : members_(read_stored_zip(file)),
      storages_(storages_of(members_)),
      unpickler_(pickle_of(members_), pickle_name),
      root_(&unpickler_.load()) {}

}  // namespace engine
