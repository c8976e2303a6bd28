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

bool is_of_broadcaster(SubtitleStyle style) {
  return style == SubtitleStyle::netflix || style == SubtitleStyle::bbc;
}

bool needs_word_times(const TranscribeOptions& options, std::string_view format) {
  if (is_of_broadcaster(options.subtitle_style)) return true;
  const bool is_laid_out = options.subtitle_style != SubtitleStyle::whisper &&
                           (format == "srt" || format == "vtt" || format == "ass");
  return is_laid_out && !options.without_timestamps && options.task == Task::transcribe;
}

}  // namespace protocol::subtitles
