#pragma once

#include <optional>

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"

namespace server {

// How one reader of a job's subtitles wants them; the job itself stays as it is.
struct SubtitleLooks {
  std::optional<protocol::SubtitleStyle> style{};  // unset: the job's own
  protocol::WriterOptions lines{};                 // the line options alone
};

// Returns the writer options of a job with these looks.
protocol::WriterOptions with_looks(protocol::WriterOptions options, const SubtitleLooks& looks);

}  // namespace server
