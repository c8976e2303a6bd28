#include "engine/weights/npz.h"
#include "engine/weights/safetensors.h"
#include "tests/fuzz/weights_fuzz.h"

namespace {

// The archive or the safetensors of MLX's models, with a config.json that quantises.
engine::ParsedModel parse_either(std::span<const std::byte> file) {
  auto tensors =
      engine::looks_like_npz(file) ? engine::parse_npz(file) : engine::parse_safetensors(file);
  return engine::parse_mlx(std::move(tensors), {engine::Quantization{4, 32}, 4});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_weights(parse_either, data, size);
  return 0;
}
