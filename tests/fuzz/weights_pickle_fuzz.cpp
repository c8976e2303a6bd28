#include "engine/error.h"
#include "engine/weights/unpickler.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    engine::Unpickler unpickler(std::as_bytes(std::span(data, size)), "pickle");
    for (;;) unpickler.load();
  } catch (const engine::Exception&) {
  }
  return 0;
}
