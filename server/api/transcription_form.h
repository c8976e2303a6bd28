#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/openai/bodies.h"
#include "protocol/transcribe_options.h"
#include "protocol/writers.h"
#include "server/api/form_values.h"
#include "server/base/error.h"
#include "server/submission/source.h"

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
  protocol::WriterOptions lines{};  // only its options for the lines of subtitles are set
  bool stream = false;
  protocol::TranscribeOptions options{};
  // chunking_strategy alone asks for voice activity detection: see fit_chunking().
  bool needs_vad_for_chunks = false;
  std::optional<double> keep_alive_s{};
  std::string upload{};                       // the handle of an upload, instead of a file
  std::string url{};                          // the address of the file, instead of the file
  bool split_channels = false;                // transcribes the channels separately
  std::vector<std::string> channel_labels{};  // none, or two
  std::string audio_track{};                  // see DecoderOptions::track
  std::string timeline{};                     // see DecoderOptions::timeline
  std::vector<NamedClip> known_speakers{};    // by the bytes of their clips
  // The next four are for jobs only.
  std::string webhook{};
  std::optional<double> keep_results_s{};
  bool bulk = false;
  std::map<std::string, std::string> metadata{};
  std::vector<std::string> ignored{};   // the names of fields that nobody knows
  std::vector<std::string> left_out{};  // parameters that the response_format has no place for
};

// The limits that the configuration sets for forms.
struct FormLimits {
  double max_keep_results_s = 24 * 3600;
};

// A clip of a speaker's voice that came as a part of a form; nothing: it was no data: URL.
using SentClip = std::optional<SpoolFile>;

// Reads the fields of OpenAI's specification 2.3.0, and scribed's own `multilingual`, `channels`,
// `channel_labels`, `audio_track`, `timeline`, `upload`, `url`, `keep_alive`, those of
// server/options/line_options.h, for jobs `webhook_url`, `keep_results_s`, `priority` and
// `metadata`, and the decoding options that protocol/option_table.h offers to forms. Arrays come as
// name[], as name several times, or as JSON, and an empty field asks for nothing. A field whose
// name is one edit from a known one is an error; any other unknown field is ignored and named.
// `clips` are those of the fields known_speaker_references, in their order: such a field is empty
// here.
boost::system::result<TranscriptionForm, FormError> read_form(
    const std::vector<FormField>& fields, FormKind kind,
    const protocol::TranscribeOptions& defaults = {}, const FormLimits& limits = {},
    std::vector<SentClip> clips = {});

}  // namespace server
