#pragma once

#include <string>
#include <vector>

#include "protocol/openai/bodies.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"
#include "protocol/writers.h"
#include "server/base/error.h"
#include "server/http/exchange.h"

namespace server {

// A response_format of OpenAI's, and what belongs to it.
struct AnswerFormat {
  std::string name = "json";  // json, text, srt, vtt, ass, verbose_json or diarized_json
  protocol::openai::VerboseParts parts{};  // for json and verbose_json; json with times is verbose
  protocol::openai::ModelParts model{};    // for json and the end of a stream
  // In `text` each speaker has lines of their own where one of these two is set.
  bool diarized = false;
  bool split_channels = false;
  std::vector<std::string> channel_labels{};  // names of the two channels; none, or two
  protocol::SubtitleStyle subtitle_style = protocol::SubtitleStyle::standard;
  protocol::WriterOptions lines{};  // see TranscriptionForm
};

Result<Response> transcript_answer(const protocol::Transcript& transcript,
                                   const AnswerFormat& format);

// Returns the last event of a stream of that format, as JSON. `logprobs` are those of all deltas.
std::string stream_end(const protocol::Transcript& transcript, const AnswerFormat& format,
                       const protocol::openai::Json& logprobs);

}  // namespace server
