#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/openai/bodies.h"
#include "protocol/transcribe_options.h"
#include "server/api/form_values.h"
#include "server/base/error.h"

namespace server {

// One field of a multipart form that is no file.
struct FormField {
  std::string name{};
  std::string value{};
};

// Which of OpenAI's two audio endpoints, or our own jobs.
enum class FormKind { transcription, translation, job };

// What a client asks for besides the sound.
struct TranscriptionForm {
  std::string model{};
  std::string response_format = "json";
  protocol::openai::VerboseParts parts{};
  bool stream = false;
  protocol::TranscribeOptions options{};
  std::optional<double> keep_alive_s{};
  std::string upload{};                       // a handle, instead of a file
  std::string webhook{};                      // of a job
  bool split_channels = false;                // each by itself
  std::vector<std::string> channel_labels{};  // none, or two
};

// Reads the fields of OpenAI's specification 2.3.0, and of ours `multilingual`, `channels`,
// `channel_labels`, `upload`, `keep_alive`, for jobs `webhook_url`, and the decoding options that
// protocol/option_table.h offers to forms. Arrays come as name[], as name several times, or as
// JSON. What is not supported is an error and never ignored.
boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults = {});

}  // namespace server
