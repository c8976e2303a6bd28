#include "engine/error.h"
#include "engine/weights/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    engine::parse_shard_index({reinterpret_cast<const char*>(data), size});
  } catch (const engine::Exception&) {
  }
  return 0;
}
