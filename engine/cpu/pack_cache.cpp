#include "engine/cpu/pack_cache.h"

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>
#include <system_error>

#include "engine/cpu/packed_file.h"

namespace engine::cpu {
namespace {

constexpr const char* extension = ".int8";

// The first page of a file; the block follows. Two models with the same header are the same.
struct Header {
  // Counts the layouts of the block: change it when walking through a model changes.
  std::array<char, 16> magic{"scribed pack 4"};
  std::uint64_t block_bytes = 0;
  ModelDims dims;
  std::int64_t source_bytes = 0;
  std::int64_t source_changed_ns = 0;
  std::array<char, 3072> source{};
};
static_assert(sizeof(Header) <= PackedFile::header_bytes);

using HeaderBytes = std::array<std::byte, PackedFile::header_bytes>;

HeaderBytes bytes_of(const Header& header) {
  HeaderBytes bytes{};
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

// False where the file is not there or its path is too long.
bool describe(const std::filesystem::path& source, Header& header) {
  struct stat facts {};
  const std::string path = std::filesystem::absolute(source).lexically_normal().string();
  if (path.size() >= header.source.size() || ::stat(path.c_str(), &facts) != 0) return false;
  header.source.fill(0);
  std::memcpy(header.source.data(), path.data(), path.size());
  header.source_bytes = facts.st_size;
  header.source_changed_ns =
      static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
  return true;
}

std::filesystem::path file_of(const std::filesystem::path& folder, const HeaderBytes& header) {
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  return folder / (std::to_string(std::hash<std::string_view>{}(text)) + extension);
}

bool is_stale(const std::filesystem::path& file) {
  Header found;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(&found), sizeof(found))) return true;
  if (found.magic != Header{}.magic || found.source.back() != 0) return true;
  Header now = found;
  return !describe(found.source.data(), now) || std::memcmp(&now, &found, sizeof(found)) != 0;
}

void remove_stale(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == extension && is_stale(entry.path())) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

PackedWhisper packed_in(const std::shared_ptr<std::byte>& block, const ModelDims& dims) {
  PackedWhisper packed = view_packed(block.get(), dims);
  packed.owner = block;
  return packed;
}

}  // namespace

std::filesystem::path pack_cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const auto folder = variable("CACHE_DIRECTORY"); folder.is_absolute()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) {
    return folder / "scribed";
  }
  if (const auto home = variable("HOME"); home.is_absolute()) return home / ".cache" / "scribed";
  return {};
}

PackedWhisper load_packed(const Weights& weights, const std::filesystem::path& folder) {
  Header header;
  header.dims = weights.dims();
  header.block_bytes = packed_size(weights.dims());
  if (folder.empty() || weights.files().empty() ||
      !describe(weights.files().front().path(), header)) {
    return pack_whisper(weights);
  }
  const HeaderBytes bytes = bytes_of(header);
  const std::filesystem::path file = file_of(folder, bytes);
  if (const auto block = PackedFile::map(file, bytes, header.block_bytes)) {
    return packed_in(block, weights.dims());
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  remove_stale(folder);
  const auto fill = [&](std::byte* block) { pack_whisper_into(block, weights); };
  if (const auto block = PackedFile::write(file, bytes, header.block_bytes, fill)) {
    return packed_in(block, weights.dims());
  }
  return pack_whisper(weights);
}

}  // namespace engine::cpu
