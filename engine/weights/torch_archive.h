#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/weights/tensor.h"
#include "engine/weights/unpickler.h"

namespace engine {

// The bytes of the storages that tensors are views of, by key.
using TorchStorages = std::map<std::string_view, std::span<const std::byte>>;

// Returns the tensors of a pickled state_dict by their names. Throws engine::Exception
// (damaged_model) where one reaches beyond its storage, (refused_model) where a value is no tensor.
TensorTable tensor_table(const PickleValue& state_dict, const TorchStorages& storages);

// A zip archive that torch.save wrote: <name>/data.pkl, <name>/data/<key>. The bytes must outlive
// it, and it must outlive what root() returns; tables of tensors need the bytes alone.
class TorchArchive {
 public:
  // Throws engine::Exception: damaged_model, refused_model.
  explicit TorchArchive(std::span<const std::byte> file);
  TorchArchive(const TorchArchive&) = delete;

  const PickleValue& root() const { return *root_; }
  const TorchStorages& storages() const { return storages_; }

 private:
  std::map<std::string, std::span<const std::byte>> members_;
  TorchStorages storages_;  // its keys are views of names in members_
  Unpickler unpickler_;
  const PickleValue* root_;
};

}  // namespace engine
