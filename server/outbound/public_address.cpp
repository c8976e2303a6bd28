#include "server/outbound/public_address.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace server {
namespace {

namespace ip = boost::asio::ip;

struct Block4 {
  std::uint32_t first;
  int bits;
};

constexpr std::uint32_t address4(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr std::array closed4{
    Block4{address4(0, 0, 0, 0), 8},         // "this" network; Linux takes 0.0.0.0 for loopback
    Block4{address4(10, 0, 0, 0), 8},        // private
    Block4{address4(100, 64, 0, 0), 10},     // shared by a provider's customers
    Block4{address4(127, 0, 0, 0), 8},       // loopback
    Block4{address4(168, 63, 129, 16), 32},  // a cloud's own service at a public address (Azure)
    Block4{address4(169, 254, 0, 0), 16},    // link-local, where clouds hand out credentials
    Block4{address4(172, 16, 0, 0), 12},     // private
    Block4{address4(192, 0, 0, 0), 24},      // protocol assignments
    Block4{address4(192, 0, 2, 0), 24},      // documentation
    Block4{address4(192, 88, 99, 0), 24},    // 6to4 relays
    Block4{address4(192, 168, 0, 0), 16},    // private
    Block4{address4(198, 18, 0, 0), 15},     // benchmarks
    Block4{address4(198, 51, 100, 0), 24},   // documentation
    Block4{address4(203, 0, 113, 0), 24},    // documentation
    Block4{address4(224, 0, 0, 0), 4},       // multicast
    Block4{address4(240, 0, 0, 0), 4},       // reserved, and broadcast
};

struct Block6 {
  std::array<std::uint8_t, 6> first;
  int bits;
};

constexpr Block6 global6{{0x20}, 3};  // all that has been assigned so far
constexpr std::array closed6{
    Block6{{0x20, 0x01, 0x00}, 23},        // Teredo, benchmarks, ORCHID
    Block6{{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    Block6{{0x20, 0x02}, 16},              // 6to4
    Block6{{0x3f, 0xfe}, 16},              // the experimental network of old
    Block6{{0x3f, 0xff, 0x00}, 20},        // documentation
};

bool contains(const Block4& block, std::uint32_t address) {
  return ((address ^ block.first) >> (32 - block.bits)) == 0;
}

bool contains(const Block6& block, const ip::address_v6::bytes_type& address) {
  for (int bit = 0; bit < block.bits; ++bit) {
    const auto byte = static_cast<std::size_t>(bit / 8);
    if (((address[byte] ^ block.first[byte]) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

}  // namespace

bool is_public_address(const ip::address& address) {
  if (address.is_v4()) {
    const std::uint32_t number = address.to_v4().to_uint();
    return std::ranges::none_of(closed4,
                                [&](const Block4& block) { return contains(block, number); });
  }
  const auto bytes = address.to_v6().to_bytes();
  return contains(global6, bytes) &&
         std::ranges::none_of(closed6, [&](const Block6& block) { return contains(block, bytes); });
}

}  // namespace server
