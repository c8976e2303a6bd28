#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/weights/safetensors.h"
#include "engine/whisper/weights/weights.h"

// The model of data/narrow-heads, whose heads are 16 wide in the encoder and 32 in the decoder,
// with what transformers computes of it (make_narrow_heads.py).
namespace toy {

class NarrowHeads {
 public:
  std::shared_ptr<const engine::Weights> weights() const {
    return std::make_shared<const engine::Weights>(
        engine::read_weights(folder() / "model.safetensors").value());
  }

  // Returns the numbers of a tensor of expected.tensors, as one row.
  std::vector<float> expected(const std::string& name) const {
    const engine::TensorTable tensors = engine::parse_safetensors(file_.bytes());
    const engine::WeightTensor& tensor = tensors.at(name);
    std::vector<float> numbers(static_cast<std::size_t>(tensor.elements()));
    to_float(tensor, numbers);
    return numbers;
  }

 private:
  static std::filesystem::path folder() {
    return std::filesystem::path(SCRIBED_SOURCE_DIR) /
           "tests/engine/whisper/weights/data/narrow-heads";
  }

  engine::MappedFile file_{folder() / "expected.tensors"};
};

}  // namespace toy
