#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace engine::cpu {

// Computes XXH64 (Collet) with seed 0: no proof against an attacker, but against damage, at the
// speed of the memory.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace engine::cpu
