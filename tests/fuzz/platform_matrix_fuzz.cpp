#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platform/matrix/matrix.h"

// A matrix from a file is anybody's text: it may be refused, or read with problems, and no more.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto loaded = platform::parse_matrix(text);
  if (!loaded) return 0;
  const platform::Matrix& matrix = loaded->matrix;
  // Every user of a matrix relies on this, whatever the document held.
  if (!matrix.find_finding("NO_GPU")) __builtin_trap();
  for (const auto& torch : matrix.torch) {
    if (!matrix.find_torch(torch.torch, torch.variant, torch.origin)) __builtin_trap();
    for (const auto& cc : torch.arch) platform::cubin_runs_on(matrix, cc, {8, 6});
  }
  return 0;
}
