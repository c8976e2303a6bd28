#include "engine/whisper/cpu/pack_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "engine/whisper/cpu/checksum.h"
#include "engine/whisper/cpu/packed_file.h"

namespace engine::cpu {
namespace {

std::string extension(MatrixType type) {
  return std::string(".") + name(type);
}

// A file begins with this header; the block follows. Two models with the same header are the same.
// Packs are the same for all instruction sets.
struct Header {
  // The number counts the layouts of the block: change it when walking through a model changes.
  std::array<char, 16> magic{"scribed pack 9"};
  ModelDims dims;
  MatrixType type = MatrixType::int8;
  std::uint32_t unused = 0;   // the header is hashed and compared as bytes: it has no gaps
  std::uint64_t content = 0;  // of all files, see sum_of_samples
  // The size, the time and the path of the first file.
  std::int64_t source_bytes = 0;
  std::int64_t source_changed_ns = 0;
  std::array<char, 3072> source{};
};
static_assert(sizeof(Header) <= PackedFile::header_bytes);
static_assert(std::has_unique_object_representations_v<Header>);

using HeaderBytes = std::array<std::byte, PackedFile::header_bytes>;

HeaderBytes bytes_of(const Header& header) {
  HeaderBytes bytes{};
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

// Computes a checksum of a few pages of each file, which are read in no time: the files of two
// models may have the same path, size and time, for instance in images of containers.
std::uint64_t sum_of_samples(std::span<const MappedFile> files) {
  constexpr std::size_t samples = 16;
  constexpr std::size_t length = 4096;
  std::vector<std::uint64_t> sums;
  for (const MappedFile& file : files) {
    const auto bytes = file.bytes();
    sums.push_back(bytes.size());
    const std::size_t last = bytes.size() - std::min(bytes.size(), length);
    for (std::size_t i = 0; i < samples; ++i) {
      const std::size_t begin = last / (samples - 1) * i;
      sums.push_back(checksum(bytes.subspan(begin, std::min(length, bytes.size() - begin))));
    }
  }
  return checksum(std::as_bytes(std::span(sums)));
}

// Returns false where the file is not there or its path is too long.
bool describe(const std::filesystem::path& source, Header& header) {
  struct stat facts {};
  const std::string path = std::filesystem::absolute(source).lexically_normal().string();
  if (path.size() >= header.source.size() || ::stat(path.c_str(), &facts) != 0) return false;
  header.source.fill(0);
  std::memcpy(header.source.data(), path.data(), path.size());
  header.source_bytes = facts.st_size;
#if defined(__APPLE__)
  const timespec& changed = facts.st_mtimespec;
#else
  const timespec& changed = facts.st_mtim;
#endif
  header.source_changed_ns = std::int64_t{changed.tv_sec} * 1'000'000'000 + changed.tv_nsec;
  return true;
}

std::filesystem::path file_of(const std::filesystem::path& folder, const HeaderBytes& header,
                              MatrixType type) {
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  return folder / (std::to_string(std::hash<std::string_view>{}(text)) + extension(type));
}

bool is_stale(const std::filesystem::path& file) {
  Header found;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(&found), sizeof(found))) return true;
  if (found.magic != Header{}.magic || found.source.back() != 0) return true;
  Header now = found;
  return !describe(found.source.data(), now) || std::memcmp(&now, &found, sizeof(found)) != 0;
}

bool is_pack(const std::filesystem::path& file) {
  return std::ranges::any_of(
      std::array{MatrixType::float32, MatrixType::float16, MatrixType::bfloat16, MatrixType::int8},
      [&](MatrixType type) { return file.extension() == extension(type); });
}

bool is_useless(const std::filesystem::path& file) {
  if (is_pack(file)) return is_stale(file);
  return is_pack(file.stem()) && PackedFile::is_left_over(file);
}

void remove_useless(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (is_useless(entry.path())) std::filesystem::remove(entry.path(), ignored);
  }
}

PackedWhisper packed_in(const std::shared_ptr<std::byte>& block, const Header& header) {
  PackedWhisper packed = view_packed(block.get(), header.dims, header.type);
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

PackedWhisper load_packed(const Weights& weights, MatrixType type,
                          const std::filesystem::path& folder, std::vector<std::string>& notes) {
  Header header;
  header.dims = weights.dims();
  header.type = type;
  header.content = sum_of_samples(weights.files());
  if (folder.empty() || weights.files().empty() ||
      !describe(weights.files().front().path(), header)) {
    return pack_whisper(weights, type);
  }
  const HeaderBytes bytes = bytes_of(header);
  const std::filesystem::path file = file_of(folder, bytes, type);
  const auto found = PackedFile::map(file, bytes);
  if (found.block) return packed_in(found.block, header);
  std::error_code ignored;
  if (found.damaged) {
    std::filesystem::remove(file, ignored);
    notes.push_back("the packed model in " + file.string() + " was damaged; it is made again");
  }
  std::filesystem::create_directories(folder, ignored);
  remove_useless(folder);
  const auto fill = [&](std::byte* block) { pack_whisper_into(block, weights, type); };
  const std::size_t block_bytes = packed_size(weights, type);
  if (const auto block = PackedFile::write(file, bytes, block_bytes, fill)) {
    return packed_in(block, header);
  }
  return pack_whisper(weights, type);
}

}  // namespace engine::cpu
