#include "engine/whisper/cpu/checksum.h"

// The header compiles the checksum in, so that no worker needs a library for it.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace engine::cpu {

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace engine::cpu
