#include "engine/cpu/checksum.h"

#include <bit>
#include <cstring>

namespace engine::cpu {
namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t prime2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t prime3 = 0x165667B19E3779F9;
constexpr std::uint64_t prime4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t prime5 = 0x27D4EB2F165667C5;

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

std::uint64_t round(std::uint64_t sum, std::uint64_t word) {
  return std::rotl(sum + word * prime2, 31) * prime1;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  std::uint64_t sum = prime5;
  if (bytes.size() >= 32) {
    // Four sums are under way, to hide the latency of one.
    std::uint64_t a = prime1 + prime2;
    std::uint64_t b = prime2;
    std::uint64_t c = 0;
    std::uint64_t d = 0 - prime1;
    for (; end - at >= 32; at += 32) {
      a = round(a, read<std::uint64_t>(at));
      b = round(b, read<std::uint64_t>(at + 8));
      c = round(c, read<std::uint64_t>(at + 16));
      d = round(d, read<std::uint64_t>(at + 24));
    }
    sum = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    for (const std::uint64_t part : {a, b, c, d}) sum = (sum ^ round(0, part)) * prime1 + prime4;
  }
  sum += bytes.size();
  for (; end - at >= 8; at += 8) {
    sum = std::rotl(sum ^ round(0, read<std::uint64_t>(at)), 27) * prime1 + prime4;
  }
  if (end - at >= 4) {
    sum = std::rotl(sum ^ read<std::uint32_t>(at) * prime1, 23) * prime2 + prime3;
    at += 4;
  }
  for (; at < end; ++at) {
    sum = std::rotl(sum ^ std::to_integer<std::uint64_t>(*at) * prime5, 11) * prime1;
  }
  sum = (sum ^ sum >> 33) * prime2;
  sum = (sum ^ sum >> 29) * prime3;
  return sum ^ sum >> 32;
}

}  // namespace engine::cpu
