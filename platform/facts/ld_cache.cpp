#include "platform/facts/ld_cache.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace platform {
namespace {

constexpr std::string_view magic = "glibc-ld.so.cache1.1";

// The header after the magic: number of entries, bytes of strings, a byte of flags with three of
// padding, an offset of extensions, and three unused words.
constexpr std::size_t count_at = 20;
constexpr std::size_t header_bytes = 48;

// An entry: flags, offset of the key, offset of the value, lowest kernel, and 64 bits of
// capabilities. Offsets count from the magic.
constexpr std::size_t entry_bytes = 24;

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// Returns the string at `offset` that ends with a zero within the bytes.
std::optional<std::string_view> string_at(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  constexpr std::size_t longest = 4096;
  const auto rest = bytes.substr(offset, longest);
  const auto end = rest.find('\0');
  if (end == rest.npos) return std::nullopt;
  return rest.substr(0, end);
}

}  // namespace

std::vector<CachedLibrary> parse_ld_cache(std::string_view bytes) {
  std::vector<CachedLibrary> libraries;
  const auto start = bytes.find(magic);
  if (start == bytes.npos) return libraries;
  bytes.remove_prefix(start);
  if (bytes.size() < header_bytes) return libraries;
  const auto possible = (bytes.size() - header_bytes) / entry_bytes;
  const auto count = std::min<std::size_t>(word_at(bytes, count_at), possible);
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = header_bytes + i * entry_bytes;
    const auto soname = string_at(bytes, word_at(bytes, entry + 4));
    const auto path = string_at(bytes, word_at(bytes, entry + 8));
    if (!soname || !path) continue;
    libraries.push_back({std::string(*soname), std::string(*path), word_at(bytes, entry)});
  }
  return libraries;
}

bool fits_this_program(const CachedLibrary& library) {
#if defined(__x86_64__)
  return library.flags == 0x0303;
#elif defined(__aarch64__)
  return library.flags == 0x0a03;
#else
  return (library.flags & 0xff) == 3;
#endif
}

}  // namespace platform
