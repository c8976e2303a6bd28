#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/whisper/text/vocabulary.h"

// Vocabulary files come with a model from anywhere. The first byte picks the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      (void)engine::parse_tiktoken(text);
      break;
    case 1:
      (void)engine::parse_token_lines(text);
      break;
    default:
      (void)engine::parse_token_json(text);
      break;
  }
  return 0;
}
