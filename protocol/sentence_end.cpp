#include "protocol/sentence_end.h"

#include <algorithm>
#include <array>

namespace protocol {

bool ends_sentence(std::string_view word) {
  constexpr std::array<std::string_view, 8> closing{"\"", "'", ")", "]", "”", "’", "」", "）"};
  constexpr std::array<std::string_view, 8> marks{".", "!", "?", "。", "！", "？", "।", "؟"};
  const auto ends_with = [&](std::string_view sign) { return word.ends_with(sign); };
  for (auto sign = std::ranges::find_if(closing, ends_with); sign != closing.end();
       sign = std::ranges::find_if(closing, ends_with)) {
    word.remove_suffix(sign->size());
  }
  return std::ranges::any_of(marks, ends_with);
}

}  // namespace protocol
