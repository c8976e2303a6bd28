#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/whisper/text/byte_pairs.h"
#include "engine/whisper/text/split_pieces.h"
#include "engine/whisper/text/utf8.h"

// Prompts are any bytes a client sends. Whatever they are, the tokens join back to the same valid
// text, and held-back decoding of them gives it too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> tokens = [] {
    std::vector<std::string> bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
    for (const char* merged : {"he", "ll", "hell", " w", "\xE2\x82", "  ", "aa", "aaa"}) {
      bytes.emplace_back(merged);
    }
    return bytes;
  }();
  static const engine::BytePairs pairs(tokens);

  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string text = engine::replace_invalid_utf8(bytes);
  std::string joined;
  engine::Utf8Holdback held;
  for (const auto piece : engine::split_pieces(text)) {
    if (piece.empty()) std::abort();
    std::vector<int> ids;
    pairs.encode(piece, ids);
    for (const int id : ids) joined += held.push(tokens[id]);
  }
  joined += held.flush();
  if (joined != text) std::abort();
  return 0;
}
