#pragma once

#include <map>
#include <span>
#include <string>

namespace engine {

// Returns the members of a zip archive that are stored uncompressed, by name. Compressed or
// encrypted members are refused. Checksums are not compared: a model's own checksum is for its
// store. Throws engine::Exception (damaged_model, refused_model).
std::map<std::string, std::span<const std::byte>> read_stored_zip(std::span<const std::byte> file);

}  // namespace engine
