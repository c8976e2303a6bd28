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
    QueryParameter{"/v1/jobs", "limit", "How many, from 1 to 100", "integer"},
    QueryParameter{"/v1/jobs", "after", "The id of the last job of the page before"},
    QueryParameter{"/v1/jobs", "status",
                   "queued, running, done, failed or cancelled; several with commas between them"},
    QueryParameter{"/v1/jobs", "model", "The model, as it is installed or by an alias"},
    QueryParameter{"/v1/jobs", "language", "The language, as a code or a name"},
    QueryParameter{"/v1/jobs", "pinned", "Those that are pinned, or those that are not", "boolean"},
    QueryParameter{"/v1/jobs", "q",
                   "Text that stands in the title, the transcript or a speaker's name"},
    QueryParameter{"/v1/jobs", "owner",
                   "Whose, for keys that may manage the server: a name, or * for everybody's"},
    QueryParameter{
        "/v1/jobs/{id}/transcript", "format",
        "txt, srt, vtt, ass, tsv, lrc, json, rttm, docx, text, verbose_json or diarized_json"},
    QueryParameter{"/v1/jobs/{id}/transcript", "version",
                   "A version of the text; the newest if missing, and 0 is what was decided",
                   "integer"},
    QueryParameter{"/v1/jobs/{id}/transcript", "times", "Of txt and docx: whether they have times",
                   "boolean"},
    QueryParameter{"/v1/jobs/{id}/transcript", "speakers", "Whether speakers are named", "boolean"},
    QueryParameter{"/v1/jobs/{id}/segments", "limit", "How many, from 1 to 1000", "integer"},
    QueryParameter{"/v1/jobs/{id}/segments", "after", "The id of the last segment of before"},
    QueryParameter{"/v1/jobs/{id}/segments", "version", "A version of the text", "integer"},
    QueryParameter{"/v1/jobs/{id}/versions", "limit", "How many, from 1 to 1000", "integer"},
    QueryParameter{"/v1/jobs/{id}/versions", "after", "The last version of the page before",
                   "integer"},
    QueryParameter{"/v1/jobs/{id}/peaks", "from", "How many are left out at the beginning",
                   "integer"},
    QueryParameter{"/v1/shares/{token}/segments", "limit", "As of the job itself", "integer"},
    QueryParameter{"/v1/shares/{token}/segments", "after", "As of the job itself"},
    QueryParameter{"/v1/shares/{token}/transcript", "format", "As of the job itself"},
    QueryParameter{"/v1/shares/{token}/transcript", "times", "As of the job itself", "boolean"},
    QueryParameter{"/v1/shares/{token}/transcript", "speakers", "As of the job itself", "boolean"},
    QueryParameter{"/v1/shares/{token}/peaks", "from", "As of the job itself", "integer"},
    QueryParameter{"/v1/events", "last_event_id",
                   "The id of the last event that was read, as the field Last-Event-ID"},
    QueryParameter{"/v1/proof", "key_id", "The first 4 hexadecimal digits of the key's SHA-256"},
    QueryParameter{"/v1/proof", "nonce", "32 hexadecimal digits that were never sent before"},
    QueryParameter{"/v1/realtime", "intent", "transcription; there are no other sessions"},
    QueryParameter{"/v1/realtime", "model", "The model of sessions that do not set one"},
    QueryParameter{"/v1/listen", "encoding",
                   "linear16, mulaw or alaw; none for a stream of a file format"},
    QueryParameter{"/v1/listen", "sample_rate", "Of the sound, in Hz", "integer"},
    QueryParameter{"/v1/listen", "channels", "Of the sound, 1 to 8", "integer"},
    QueryParameter{"/v1/listen", "multichannel", "Results for each channel", "boolean"},
    QueryParameter{"/v1/listen", "model", "An installed model, or a name of Deepgram's"},
    QueryParameter{"/v1/listen", "language", "en, en-US …, or multi: detect it"},
    QueryParameter{"/v1/listen", "keyterm", "Words to expect; may be repeated"},
    QueryParameter{"/v1/listen", "diarize", "Tell the speakers of turns apart", "boolean"},
    QueryParameter{"/v1/listen", "interim_results", "Text that may change", "boolean"},
    QueryParameter{"/v1/listen", "endpointing", "The silence that ends speech, in ms, or false"},
    QueryParameter{"/v1/listen", "utterance_end_ms", "The silence of UtteranceEnd", "integer"},
    QueryParameter{"/v1/listen", "vad_events", "Tell when speech begins", "boolean"},
    QueryParameter{"/v1/listen", "model", "An installed model, or a name of Deepgram's", "string",
                   post},
    QueryParameter{"/v1/listen", "language", "en, en-US …; multi: detect it", "string", post},
    QueryParameter{"/v1/listen", "keyterm", "Words to expect; may be repeated", "string", post},
    QueryParameter{"/v1/listen", "diarize", "Tell the speakers apart", "boolean", post},
    QueryParameter{"/v1/listen", "multichannel", "The first two channels, each by itself",
                   "boolean", post},
    QueryParameter{"/v1/listen", "utterances", "What is said between pauses", "boolean", post},
    QueryParameter{"/v1/listen", "paragraphs", "Paragraphs and their sentences", "boolean", post},
    QueryParameter{"/v1/uploads", "limit", "How many, from 1 to 100", "integer"},
    QueryParameter{"/v1/uploads", "after", "The id of the last upload of the page before"},
    QueryParameter{"/v1/uploads", "q", "Text that stands in the file's name"},
    QueryParameter{"/asr", "encode",
                   "false: the sound has no header, and is s16le at 16 kHz of one channel",
                   "boolean", post},
    QueryParameter{"/asr", "output", "txt, vtt, srt, tsv or json", "string", post},
    QueryParameter{"/asr", "task", "transcribe, or translate into English", "string", post},
    QueryParameter{"/asr", "language", "The language, as a code or a name", "string", post},
    QueryParameter{"/asr", "initial_prompt", "Text that could stand before the recording", "string",
                   post},
    QueryParameter{"/asr", "hotwords", "Words to expect", "string", post},
    QueryParameter{"/asr", "vad_filter", "No text where no speech is heard", "boolean", post},
    QueryParameter{"/asr", "word_timestamps", "Find when each word is said, for json", "boolean",
                   post},
    QueryParameter{"/asr", "diarize", "Tell the speakers apart", "boolean", post},
    QueryParameter{"/asr", "min_speakers", "At least so many", "integer", post},
    QueryParameter{"/asr", "max_speakers", "At most so many", "integer", post},
    QueryParameter{"/detect-language", "encode",
                   "false: the sound has no header, and is s16le at 16 kHz of one channel",
                   "boolean", post},
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
      const std::string fix = known.empty()
                                  ? "This address takes none; a form's fields go into its body."
                                  : fmt::format("Known are: {}.", fmt::join(known, ", "));
      return FormError{
          {errc::unknown_parameter, fmt::format("There is no query parameter {} here.", name), fix},
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
