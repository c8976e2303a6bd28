#include "tests/fuzz/weights_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_weights(engine::parse_gguf_model, data, size);
  return 0;
}
