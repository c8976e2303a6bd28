#include "engine/weights/safetensors_writer.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/error.h"

namespace engine {
namespace {

const char* safetensors_word(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    default:
      throw std::invalid_argument("[weights] no type of safetensors");
  }
}

std::string header_of(const std::vector<SafetensorsEntry>& entries) {
  auto header = nlohmann::json::object();
  std::size_t end = 0;
  for (const SafetensorsEntry& entry : entries) {
    const std::size_t begin = end;
    end += byte_size(entry.name, entry.dtype, entry.shape);
    header[entry.name] = {{"dtype", safetensors_word(entry.dtype)},
                          {"shape", entry.shape},
                          {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // so that numbers are aligned
  return text;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& file,
                                     const std::vector<SafetensorsEntry>& entries)
    : path_(file), out_(file, std::ios::binary | std::ios::trunc) {
  const std::string header = header_of(entries);
  const auto size = static_cast<std::uint64_t>(header.size());
  out_.write(reinterpret_cast<const char*>(&size), sizeof(size));
  out_.write(header.data(), static_cast<std::streamsize>(header.size()));
  require_good();
}

void SafetensorsWriter::write(std::span<const std::byte> tensor) {
  out_.write(reinterpret_cast<const char*>(tensor.data()),
             static_cast<std::streamsize>(tensor.size()));
  require_good();
}

void SafetensorsWriter::finish() {
  out_.flush();
  require_good();
}

void SafetensorsWriter::require_good() {
  if (out_) return;
  throw Exception({Errc::out_of_disk, "[weights] " + path_.string() + " cannot be written",
                   "Make room on the disk, and check who may write there."});
}

}  // namespace engine
