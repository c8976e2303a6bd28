#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

std::optional<Rules> rules_of(SubtitleStyle style) {
  switch (style) {
    case SubtitleStyle::standard:
    case SubtitleStyle::netflix:
      return Rules{};
    case SubtitleStyle::bbc:
      return Rules{.columns = 37, .columns_per_s = 17};
    case SubtitleStyle::whisper:
      break;
  }
  return std::nullopt;
}

bool times_words(SubtitleStyle style) {
  return style == SubtitleStyle::netflix || style == SubtitleStyle::bbc;
}

}  // namespace protocol::subtitles
