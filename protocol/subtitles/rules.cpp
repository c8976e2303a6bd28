#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

std::optional<Rules> rules_of(SubtitleStyle style) {
  switch (style) {
    case SubtitleStyle::netflix:
      return Rules{};
    case SubtitleStyle::bbc:
      return Rules{.columns = 37, .columns_per_s = 17};
    case SubtitleStyle::standard:
    case SubtitleStyle::whisper:
      break;
  }
  return std::nullopt;
}

}  // namespace protocol::subtitles
