#include "engine/whisper/decoding/strip.h"

#include <unicode/utf8.h>

#include <cstdint>

#include "engine/whisper/text/white_space.h"

namespace engine {

std::string strip(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto begin = static_cast<std::int32_t>(0);
  auto end = static_cast<std::int32_t>(text.size());
  while (begin < end) {
    std::int32_t next = begin;
    UChar32 c = 0;
    U8_NEXT(bytes, next, end, c);
    if (!is_white_space(static_cast<char32_t>(c))) break;
    begin = next;
  }
  while (end > begin) {
    std::int32_t previous = end;
    UChar32 c = 0;
    U8_PREV(bytes, begin, previous, c);
    if (!is_white_space(static_cast<char32_t>(c))) break;
    end = previous;
  }
  return std::string(
      text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

}  // namespace engine
