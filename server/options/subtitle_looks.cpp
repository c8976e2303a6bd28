#include "server/options/subtitle_looks.h"

#include <utility>

#include "protocol/subtitles/layout.h"

namespace server {

protocol::WriterOptions with_looks(protocol::WriterOptions options, const SubtitleLooks& looks) {
  options.max_line_width = looks.lines.max_line_width;
  options.max_line_count = looks.lines.max_line_count;
  options.max_words_per_line = looks.lines.max_words_per_line;
  options.highlight_words = looks.lines.highlight_words;
  return looks.style ? protocol::with_style(std::move(options), *looks.style) : options;
}

}  // namespace server
