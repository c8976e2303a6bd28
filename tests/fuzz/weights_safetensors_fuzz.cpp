#include "engine/weights/safetensors.h"
#include "tests/fuzz/weights_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_weights(
      [](auto file) { return engine::ParsedModel{.tensors = engine::parse_safetensors(file)}; },
      data, size);
  return 0;
}
