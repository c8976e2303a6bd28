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

// One field of a multipart form that is not a file.
struct FormField {
  std::string name{};
  std::string value{};
};

// The endpoint of a form: one of OpenAI's two for audio, or scribed's jobs.
enum class FormKind { transcription, translation, job };

// A client's request, without the sound.
struct TranscriptionForm {
  std::string model{};
  std::string response_format = "json";
  protocol::openai::VerboseParts parts{};
  bool stream = false;
  protocol::TranscribeOptions options{};
  std::optional<double> keep_alive_s{};
  std::string upload{};                       // the handle of an upload, instead of a file
  std::string webhook{};                      // for jobs only
  bool split_channels = false;                // transcribes the channels separately
  std::vector<std::string> channel_labels{};  // none, or two
};

// Reads the fields of OpenAI's specification 2.3.0, and scribed's own `multilingual`, `channels`,
// `channel_labels`, `upload`, `keep_alive`, for jobs `webhook_url`, and the decoding options that
// protocol/option_table.h offers to forms. Arrays come as name[], as name several times, or as
// JSON. An unsupported field is an error and never ignored.
boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults = {});

}  // namespace server
