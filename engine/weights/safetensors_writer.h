#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "engine/weights/tensor.h"

namespace engine {

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::f32;  // f32, f16 or bf16
  std::vector<std::int64_t> shape;
};

// Writes a safetensors file tensor by tensor. Throws engine::Exception (out_of_disk) where the file
// cannot be written.
class SafetensorsWriter {
 public:
  // Writes the header. Names are plain ASCII without quotes, as a model's are.
  SafetensorsWriter(const std::filesystem::path& file,
                    const std::vector<SafetensorsEntry>& entries);

  // Takes the bytes of the next tensor, in the order of the entries.
  void write(std::span<const std::byte> tensor);

  // Fails where the file is not whole on its way to the disk.
  void finish();

 private:
  void require_good();

  std::filesystem::path path_;
  std::ofstream out_;
};

}  // namespace engine
