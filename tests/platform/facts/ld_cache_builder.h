#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/facts/ld_cache.h"

namespace platform {

// The flags that the cache gives libraries for a program like this one.
#if defined(__aarch64__)
inline constexpr std::uint32_t own_flags = 0x0a03;
#else
inline constexpr std::uint32_t own_flags = 0x0303;
#endif

inline void append_words(std::string& bytes, const std::vector<std::uint32_t>& words) {
  bytes.append(reinterpret_cast<const char*>(words.data()), words.size() * 4);
}

// Returns a cache file with these entries.
inline std::string build_ld_cache(const std::vector<CachedLibrary>& entries) {
  std::string strings;
  std::string table;
  const auto strings_at = 48 + 24 * entries.size();
  for (const auto& entry : entries) {
    const auto key = strings_at + strings.size();
    strings += entry.soname + '\0';
    const auto value = strings_at + strings.size();
    strings += entry.path + '\0';
    append_words(table, {entry.flags, static_cast<std::uint32_t>(key),
                         static_cast<std::uint32_t>(value), 0, 0, 0});
  }
  std::string bytes = "glibc-ld.so.cache1.1";
  append_words(bytes, {static_cast<std::uint32_t>(entries.size()),
                       static_cast<std::uint32_t>(strings.size()), 2, 0, 0, 0, 0});
  return bytes + table + strings;
}

// Returns the same after a table in the older format, as older systems write both.
inline std::string build_double_ld_cache(const std::vector<CachedLibrary>& entries) {
  std::string bytes("ld.so-1.7.0\0", 12);
  append_words(bytes, {1, own_flags, 0, 0});
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes + build_ld_cache(entries);
}

}  // namespace platform
