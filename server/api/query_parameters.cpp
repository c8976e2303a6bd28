#include "server/api/query_parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "server/api/azure_path.h"
#include "server/options/line_options.h"

namespace server {
namespace {

constexpr auto post = http::verb::post;

// The parameters of each route that returns subtitles: their style, and the lines of them.
constexpr auto subtitle_parameters(std::string_view path, http::verb method = http::verb::get) {
  std::array<QueryParameter, 1 + line_options.size()> parameters{
      {{path, "subtitle_style", "srt, vtt and ass: default, netflix, bbc or whisper", "string",
        method}}};
  for (std::size_t i = 0; i < line_options.size(); ++i) {
    const LineOption& option = line_options[i];
    parameters[1 + i] = {path, option.name, option.help, option.is_flag ? "boolean" : "integer",
                         method};
  }
  return parameters;
}

constexpr std::array other_parameters{
    QueryParameter{"/v1/jobs", "limit", "Page size, from 1 to 100", "integer"},
    QueryParameter{"/v1/jobs", "after", "Id of the last job of the previous page"},
    QueryParameter{"/v1/jobs", "status",
                   "queued, running, done, failed or cancelled; comma-separated"},
    QueryParameter{"/v1/jobs", "model", "Model name or alias"},
    QueryParameter{"/v1/jobs", "language", "Language code or name"},
    QueryParameter{"/v1/jobs", "pinned", "Only pinned jobs, or only others", "boolean"},
    QueryParameter{"/v1/jobs", "q", "Text to search in titles, transcripts and speaker names"},
    QueryParameter{"/v1/jobs", "owner",
                   "Owner, for keys with the scope manage: a name, or * for all"},
    QueryParameter{
        "/v1/jobs/{id}/transcript", "format",
        "txt, srt, vtt, ass, tsv, lrc, json, rttm, docx, text, verbose_json or diarized_json"},
    QueryParameter{"/v1/jobs/{id}/transcript", "version",
                   "Version of the transcript; default: the newest; 0: as transcribed", "integer"},
    QueryParameter{"/v1/jobs/{id}/transcript", "times", "Timestamps in txt and docx", "boolean"},
    QueryParameter{"/v1/jobs/{id}/transcript", "speakers", "Include speaker labels", "boolean"},
    QueryParameter{"/v1/jobs/{id}/segments", "limit", "Page size, from 1 to 1000", "integer"},
    QueryParameter{"/v1/jobs/{id}/segments", "after",
                   "Id of the last segment of the previous page"},
    QueryParameter{"/v1/jobs/{id}/segments", "version", "Version of the transcript", "integer"},
    QueryParameter{"/v1/jobs/{id}/versions", "limit", "Page size, from 1 to 1000", "integer"},
    QueryParameter{"/v1/jobs/{id}/versions", "after", "Last version of the previous page",
                   "integer"},
    QueryParameter{"/v1/jobs/{id}/peaks", "from", "Number of entries to skip", "integer"},
    QueryParameter{"/v1/shares/{token}/segments", "limit", "As for the job itself", "integer"},
    QueryParameter{"/v1/shares/{token}/segments", "after", "As for the job itself"},
    QueryParameter{"/v1/shares/{token}/transcript", "format", "As for the job itself"},
    QueryParameter{"/v1/shares/{token}/transcript", "times", "As for the job itself", "boolean"},
    QueryParameter{"/v1/shares/{token}/transcript", "speakers", "As for the job itself", "boolean"},
    QueryParameter{"/v1/shares/{token}/peaks", "from", "As for the job itself", "integer"},
    QueryParameter{"/v1/events", "last_event_id",
                   "Id of the last received event, like the Last-Event-ID header"},
    QueryParameter{"/v1/proof", "key_id", "First 4 hexadecimal digits of the key's SHA-256"},
    QueryParameter{"/v1/proof", "nonce", "Nonce: 32 hexadecimal digits, never used before"},
    QueryParameter{"/v1/realtime", "intent", "transcription, the only type of session"},
    QueryParameter{"/v1/realtime", "model", "Default model of the session"},
    QueryParameter{"/v1/listen", "encoding",
                   "linear16, mulaw or alaw; none for a stream of a file format"},
    QueryParameter{"/v1/listen", "sample_rate", "Sample rate in Hz", "integer"},
    QueryParameter{"/v1/listen", "channels", "Number of channels, 1 to 8", "integer"},
    QueryParameter{"/v1/listen", "multichannel", "Results for each channel", "boolean"},
    QueryParameter{"/v1/listen", "model", "An installed model, or a name of Deepgram's"},
    QueryParameter{"/v1/listen", "language", "en, en-US …, or multi: auto-detect"},
    QueryParameter{"/v1/listen", "keyterm", "Keyword; can be repeated"},
    QueryParameter{"/v1/listen", "diarize", "Speaker labels per turn", "boolean"},
    QueryParameter{"/v1/listen", "interim_results", "Interim results", "boolean"},
    QueryParameter{"/v1/listen", "endpointing",
                   "Endpoint delay: silence that ends a speech turn, in ms, or false"},
    QueryParameter{"/v1/listen", "utterance_end_ms", "Silence before UtteranceEnd, in ms",
                   "integer"},
    QueryParameter{"/v1/listen", "vad_events", "Send SpeechStarted events", "boolean"},
    QueryParameter{"/v1/listen", "model", "An installed model, or a name of Deepgram's", "string",
                   post},
    QueryParameter{"/v1/listen", "language", "en, en-US …; multi: auto-detect", "string", post},
    QueryParameter{"/v1/listen", "keyterm", "Keyword; can be repeated", "string", post},
    QueryParameter{"/v1/listen", "diarize", "Speaker labels", "boolean", post},
    QueryParameter{"/v1/listen", "multichannel", "Transcribe the first two channels separately",
                   "boolean", post},
    QueryParameter{"/v1/listen", "utterances", "Split at pauses", "boolean", post},
    QueryParameter{"/v1/listen", "paragraphs", "Paragraphs and sentences", "boolean", post},
    QueryParameter{"/v1/uploads", "limit", "Page size, from 1 to 100", "integer"},
    QueryParameter{"/v1/uploads", "after", "Id of the last upload of the previous page"},
    QueryParameter{"/v1/uploads", "q", "Text to search in file names"},
    QueryParameter{"/asr", "encode", "false: raw audio without header, 16 kHz mono s16le",
                   "boolean", post},
    QueryParameter{"/asr", "output", "txt, vtt, srt, tsv or json", "string", post},
    QueryParameter{"/asr", "task", "transcribe, or translate to English", "string", post},
    QueryParameter{"/asr", "language", "Language code or name", "string", post},
    QueryParameter{"/asr", "initial_prompt", "Prompt: names, spelling, style", "string", post},
    QueryParameter{"/asr", "hotwords", "Keywords", "string", post},
    QueryParameter{"/asr", "vad_filter", "Skip audio without speech", "boolean", post},
    QueryParameter{"/asr", "word_timestamps", "Word timestamps, for json", "boolean", post},
    QueryParameter{"/asr", "diarize", "Speaker labels", "boolean", post},
    QueryParameter{"/asr", "min_speakers", "Minimum", "integer", post},
    QueryParameter{"/asr", "max_speakers", "Maximum", "integer", post},
    QueryParameter{"/detect-language", "encode",
                   "false: raw audio without header, 16 kHz mono s16le", "boolean", post},
};

template <std::size_t... sizes>
constexpr auto join_lists(const std::array<QueryParameter, sizes>&... lists) {
  std::array<QueryParameter, (sizes + ...)> all{};
  auto* at = all.data();
  ((at = std::copy(lists.begin(), lists.end(), at)), ...);
  return all;
}

constexpr auto query_table = join_lists(
    other_parameters, subtitle_parameters("/v1/jobs/{id}/transcript"),
    subtitle_parameters("/v1/shares/{token}/transcript"), subtitle_parameters("/asr", post));

std::vector<std::string_view> known_parameters(const Route& route) {
  std::vector<std::string_view> names;
  for (const auto& parameter : query_table) {
    if (parameter.method == route.method && parameter.path == route.path) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

}  // namespace

std::span<const QueryParameter> query_parameters() {
  return query_table;
}

std::vector<std::string> ignored_query(const Route& route, const Exchange& exchange) {
  std::vector<std::string> names;
  const bool reads_models = route.method == http::verb::get && route.path.starts_with("/v1/models");
  const bool is_asr = route.path == "/asr" || route.path == "/detect-language";
  if (!reads_models && !is_asr) return names;
  const auto known = known_parameters(route);
  for (const auto& [name, value] : exchange.query_fields()) {
    const bool is_azures = name == "api-version" && is_azure_path(exchange.path());
    if (!is_azures && std::ranges::find(known, name) == known.end()) names.push_back(name);
  }
  return names;
}

FormProblem check_query(const Route& route, const Exchange& exchange) {
  // Clients of these services send parameters of features that are not here.
  const bool is_for_others = route.path == "/v1/listen" || route.path == "/v1/realtime";
  const bool is_ignored = !ignored_query(route, exchange).empty();
  if (!route.path.starts_with("/v1/") || is_for_others || is_ignored) return {};
  const auto known = known_parameters(route);
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : exchange.query_fields()) {
    if (name == "api-version" && is_azure_path(exchange.path())) continue;
    if (std::ranges::find(known, name) == known.end()) {
      const std::string fix =
          known.empty() ? "This route has no query parameters; send form fields in the body."
                        : fmt::format("Known are: {}.", fmt::join(known, ", "));
      return FormError{{errc::unknown_parameter,
                        fmt::format("This route has no query parameter {}.", name), fix},
                       name};
    }
    if (std::ranges::find(seen, name) != seen.end()) {
      return invalid(name, fmt::format("The query parameter {} is given twice.", name),
                     "Give it once.");
    }
    seen.push_back(name);
  }
  return {};
}

}  // namespace server
