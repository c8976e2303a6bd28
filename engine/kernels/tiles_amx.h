#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#pragma GCC push_options
#pragma GCC target("amx-tile")

namespace engine::kernels {

// A tile of AMX has up to 16 rows of 64 bytes. Products are made of tiles by these numbers:
//   0 to 3  sums, [rows, 16] of 32 bits
//   4, 5    activations, [rows, 64 bytes]
//   6, 7    weights, [16, 64 bytes]: 16 outputs side by side, four bytes of inputs each
constexpr int tile_rows = 16;
constexpr std::ptrdiff_t tile_bytes = 64;

// Gives the tiles to the calling thread while it lives, with so many rows of sums and activations,
// at most 16. Configuring them takes some hundred cycles.
class TileScope {
 public:
  explicit TileScope(int rows) {
    Shape shape;
    for (int tile = 0; tile < 8; ++tile) {
      shape.columns[tile] = tile_bytes;
      shape.rows[tile] = static_cast<std::uint8_t>(tile < 6 ? rows : tile_rows);
    }
    // The intrinsic does not say that all of the shape is read.
    __asm__ volatile("ldtilecfg %0" ::"m"(shape));
  }
  ~TileScope() { _tile_release(); }
  TileScope(const TileScope&) = delete;
  TileScope& operator=(const TileScope&) = delete;

 private:
  struct alignas(64) Shape {
    std::uint8_t palette = 1;
    std::uint8_t first_row = 0;
    std::uint8_t reserved[14]{};
    std::uint16_t columns[16]{};  // in bytes
    std::uint8_t rows[16]{};
  };
  static_assert(sizeof(Shape) == 64);
};

// Tells the compiler that tiles are loaded from memory that was written before, which the
// intrinsics do not say.
[[gnu::always_inline]] inline void finish_writes() {
  __asm__ volatile("" ::: "memory");
}

}  // namespace engine::kernels

#pragma GCC pop_options
