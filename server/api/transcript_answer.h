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
  protocol::openai::VerboseParts parts{};  // of json only the logprobs count
  // In `text` each speaker has lines of their own where one of these two is set.
  bool diarized = false;
  bool split_channels = false;
  std::vector<std::string> channel_labels{};  // names of the two channels; none, or two
  protocol::SubtitleStyle subtitle_style = protocol::SubtitleStyle::standard;
  protocol::WriterOptions lines{};  // see TranscriptionForm
};

Result<Response> transcript_answer(const protocol::Transcript& transcript,
                                   const AnswerFormat& format);

}  // namespace server
