#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace platform {

struct CachedLibrary {
  std::string soname{};  // "libcuda.so.1"
  std::string path{};
  std::uint32_t flags = 0;  // the C library and instruction set it is for
};

// Parses glibc's /etc/ld.so.cache in its present format ("glibc-ld.so.cache1.1"), alone or after
// the older one's table, in the byte order of this machine. Entries that point outside of the file
// are left out; bytes in no known format give nothing.
std::vector<CachedLibrary> parse_ld_cache(std::string_view bytes);

// Returns whether the loader takes this entry for a program like this one, by its flags.
bool fits_this_program(const CachedLibrary& library);

}  // namespace platform
