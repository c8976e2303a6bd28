#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/transcript.h"
#include "protocol/writers.h"
#include "server/api/list_query.h"
#include "server/options/subtitle_looks.h"

namespace server {

// The query parameters of a transcript, besides its format and version, say what its readers want
// to see.
struct TextLooks {
  std::optional<bool> times{};  // of txt and docx, the others have theirs always; none: as usual
  bool speakers = true;
  SubtitleLooks subtitles{};
};

QueryResult<TextLooks> text_looks(const Exchange& exchange);

// Writes the transcript as a file of that format, as it is to look.
Result<std::string> written_text(std::string_view format, protocol::Transcript transcript,
                                 protocol::WriterOptions options, const TextLooks& looks);

}  // namespace server
