#include "server/api/asr_query.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_text.h"
#include "protocol/option_table.h"
#include "protocol/subtitles/rules.h"
#include "server/http/error_response.h"
#include "server/options/line_options.h"
#include "server/options/option_values.h"
#include "server/options/set_option.h"

namespace server {
namespace {

using AsrJson = nlohmann::ordered_json;

constexpr std::array asr_outputs{"txt", "vtt", "srt", "tsv", "json"};

// Those options of the service and of its clients that scribed knows by the same names, and
// subtitle_style.
constexpr std::array asr_options{"task",         "language",      "initial_prompt",  "hotwords",
                                 "vad_filter",   "diarize",       "word_timestamps", "min_speakers",
                                 "max_speakers", "subtitle_style"};

std::string given(const Exchange& exchange, std::string_view name) {
  return exchange.query(name).value_or("");
}

}  // namespace

boost::system::result<AsrQuery, FormError> read_asr_query(
    const Exchange& exchange, const protocol::TranscribeOptions& defaults) {
  AsrQuery query{.options = defaults};
  if (const std::string text = given(exchange, "encode"); !text.empty()) {
    const auto encode = parse_boolean(text);
    if (!encode) return invalid("encode", "The parameter encode must be true or false.");
    query.encode = *encode;
  }
  if (const std::string text = lower_case(given(exchange, "output")); !text.empty()) {
    if (std::ranges::find(asr_outputs, text) == asr_outputs.end()) {
      return invalid("output", "The parameter output must be txt, vtt, srt, tsv or json.");
    }
    query.output = text;
  }
  for (const char* name : asr_options) {
    const std::string text = given(exchange, name);
    if (text.empty()) continue;
    const auto set = set_option(*protocol::find_option(name), std::string("parameter ") + name,
                                text, query.options);
    if (!set) return FormError{set.error(), name};
  }
  for (const LineOption& option : line_options) {
    const std::string text = given(exchange, option.name);
    if (text.empty()) continue;
    const auto set = set_line_option("parameter ", option.name, text, query.lines);
    if (!set) return FormError{set.error(), std::string(option.name)};
  }
  query.options.word_timestamps |= has_line_option(query.lines);
  query.options.word_timestamps |=
      protocol::subtitles::needs_word_times(query.options, query.output);
  return query;
}

Response asr_error(const Error& error, std::string_view output) {
  Response response = error_response(error);
  const bool is_subtitle = output == "srt" || output == "vtt";
  const nlohmann::ordered_json body{{"detail", protocol::error_text(error)}};
  response.body = is_subtitle ? "" : protocol::json::dump(body);
  if (is_subtitle) response.content_type = "text/plain; charset=utf-8";
  return response;
}

Response asr_mistake(const Exchange& exchange, const FormError& mistake) {
  const bool is_missing = mistake.error.code == errc::missing_parameter;
  const auto value = exchange.query(mistake.parameter);
  const AsrJson detail{{"type", is_missing ? "missing" : "value_error"},
                       {"loc", {is_missing ? "body" : "query", mistake.parameter}},
                       {"msg", protocol::error_text(mistake.error)},
                       {"input", value ? AsrJson(*value) : AsrJson()}};
  const AsrJson body{{"detail", AsrJson::array({detail})}};
  return {.status = http::status::unprocessable_entity,
          .body = protocol::json::dump(body),
          .error = mistake.error.code};
}

}  // namespace server
