#pragma once

#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"
#include "server/api/transcription_form.h"
#include "server/base/error.h"

namespace server {

// The fields of a form to /inference, as whisper.cpp's server has them, and scribed's own
// `model`, `subtitle_style` and those of server/options/line_options.h.
struct InferenceForm {
  std::string model{};  // scribed's own field: an installed model; empty: the default
  std::string response_format = "json";  // json, text, srt, vtt or verbose_json
  protocol::TranscribeOptions options{};
  protocol::WriterOptions lines{};      // only its options for the lines of subtitles are set
  std::vector<std::string> ignored{};   // fields without an effect
  std::vector<std::string> unusable{};  // fields with a value that is none: the default counts
};

// Reads the fields as that server does: an unknown response_format is json, and a number that
// cannot be read counts as left out. The code of errors is `usage`: there is no such language.
Result<InferenceForm> read_inference_form(const std::vector<FormField>& fields,
                                          const protocol::TranscribeOptions& defaults = {});

}  // namespace server
