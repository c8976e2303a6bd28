#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace engine {

// A member of a zip archive, as it lies there.
struct ZipMember {
  std::span<const std::byte> packed{};
  std::uint64_t size = 0;      // unpacked
  std::uint32_t checksum = 0;  // CRC-32 of the unpacked bytes
  bool deflated = false;       // stored otherwise
};

// Returns the members of a zip archive by name. Encrypted ones, and those of other methods than
// stored and deflated, are refused. Throws engine::Exception (damaged_model, refused_model).
std::map<std::string, ZipMember> read_zip(std::span<const std::byte> file);

// Returns the members of an archive in which all are stored. Deflated ones are refused, too.
// Checksums are not compared: a model's own checksum is for its store.
std::map<std::string, std::span<const std::byte>> read_stored_zip(std::span<const std::byte> file);

}  // namespace engine
