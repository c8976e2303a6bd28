#include "server/api/format_fit.h"

#include <fmt/format.h>

#include <string>

#include "server/submission/model_name.h"

namespace server {
namespace {

bool is_json(const std::string& format) {
  return format == "json" || format == "verbose_json";
}

// json of OpenAI's models that take granularities with it has no times, and libraries that check
// its type refuse any. For whisper-1 OpenAI refuses the two together; here they are verbose_json.
bool has_place_for_times(const FormReading& reading) {
  const std::string& format = reading.form.response_format;
  if (reading.kind == FormKind::job || format == "verbose_json") return true;
  return format == "json" && !counts_tokens(reading.form.model);
}

}  // namespace

FormProblem fit_granularities(FormReading& reading) {
  protocol::openai::VerboseParts parts{.segments = false, .words = false};
  for (const auto& one : reading.granularities) {
    if (one.empty()) continue;
    if (one != "word" && one != "segment") {
      return invalid("timestamp_granularities", fmt::format("There is no granularity {}.", one),
                     "Use word, segment or both.");
    }
    (one == "word" ? parts.words : parts.segments) = true;
  }
  if (!parts.words && !parts.segments) {
    reading.form.parts.segments = reading.form.response_format == "verbose_json";
    return {};
  }
  // The transcript of a job is read in any format, later.
  if (!has_place_for_times(reading)) {
    reading.form.parts.segments = false;
    reading.form.left_out.emplace_back("timestamp_granularities");
    return {};
  }
  reading.form.parts = parts;
  reading.form.options.word_timestamps |= parts.words;
  return {};
}

// A file of subtitles is complete at its end only.
void fit_stream(FormReading& reading) {
  const std::string& format = reading.form.response_format;
  const bool fits = is_json(format) || format == "text" || format == "diarized_json";
  if (!reading.form.stream || fits) return;
  reading.form.stream = false;
  reading.form.left_out.emplace_back("stream");
}

// Texts and subtitles have no place for tokens.
void fit_include(FormReading& reading) {
  bool& is_asked = reading.form.options.token_logprobs;
  if (!is_asked || reading.kind == FormKind::job || is_json(reading.form.response_format)) return;
  is_asked = false;
  reading.form.left_out.emplace_back("include");
}

}  // namespace server
