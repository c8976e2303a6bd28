#include "server/api/list_query.h"

#include <fmt/format.h>

#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <charconv>

#include "protocol/languages.h"
#include "server/options/text_limits.h"
#include "server/submission/model_name.h"

namespace server {
namespace {

std::optional<JobState> state_called(std::string_view text) {
  for (const JobState state : {JobState::queued, JobState::running, JobState::done,
                               JobState::failed, JobState::cancelled}) {
    if (text == name(state)) return state;
  }
  return std::nullopt;
}

// Reads one state, or several with commas between them.
QueryResult<std::vector<JobState>> wanted_states(const std::string& text) {
  std::vector<JobState> states;
  if (text.empty()) return states;
  std::vector<std::string> names;
  boost::split(names, text, boost::is_any_of(","));
  for (const auto& wanted : names) {
    const auto state = state_called(wanted);
    if (!state) {
      return invalid("status", fmt::format("There is no status {}.", wanted),
                     "Use queued, running, done, failed or cancelled.");
    }
    states.push_back(*state);
  }
  return states;
}

QueryResult<std::string> wanted_language(const std::string& text) {
  if (text.empty()) return std::string();
  const auto code = protocol::language_code(text);
  if (code) return std::string(*code);
  return invalid("language", fmt::format("There is no language {}.", text),
                 "Use a code such as de, or a name such as german.");
}

QueryResult<std::optional<bool>> wanted_pinned(const std::string& text) {
  if (text.empty()) return std::optional<bool>();
  if (text == "true" || text == "false") return std::optional(text == "true");
  return invalid("pinned", "The query parameter pinned must be true or false.");
}

}  // namespace

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = failure == std::errc() && end == text.data() + text.size() && number >= 0;
  if (!is_number) return std::nullopt;
  return number;
}

QueryResult<int> page_size(const Exchange& exchange, PageSizes sizes) {
  const auto text = exchange.query("limit");
  if (!text) return sizes.usual;
  const auto limit = whole_number(*text);
  if (limit && *limit >= 1 && *limit <= sizes.most) return *limit;
  return invalid(
      "limit", fmt::format("The query parameter limit must be a number from 1 to {}.", sizes.most));
}

QueryResult<std::optional<int>> text_version(const Exchange& exchange) {
  const auto text = exchange.query("version");
  if (!text) return std::optional<int>();
  const auto version = whole_number(*text);
  if (version) return std::optional<int>(*version);
  return invalid("version", "version must be the number of a version.",
                 "Version 0 is what was decided; GET …/versions lists the others.");
}

QueryResult<std::string> wanted_text(const Exchange& exchange) {
  const std::string text = exchange.query("q").value_or("");
  const auto fits = check_bytes("parameter q", text.size(), max_name_bytes);
  if (!fits) return FormError{fits.error(), "q"};
  return text;
}

QueryResult<JobFilter> job_filter(const Exchange& exchange, const Services& services) {
  const auto states = wanted_states(exchange.query("status").value_or(""));
  if (!states) return states.error();
  const auto language = wanted_language(exchange.query("language").value_or(""));
  if (!language) return language.error();
  const auto text = wanted_text(exchange);
  if (!text) return text.error();
  const auto pinned = wanted_pinned(exchange.query("pinned").value_or(""));
  if (!pinned) return pinned.error();
  const std::string model = exchange.query("model").value_or("");
  std::vector<std::string> texts;
  if (!text->empty()) texts.push_back(*text);
  return JobFilter{.states = *states,
                   .model = model.empty() ? "" : meant_model(services, model),
                   .language = *language,
                   .pinned = *pinned,
                   .texts = std::move(texts)};
}

}  // namespace server
