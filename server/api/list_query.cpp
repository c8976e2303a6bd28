#include "server/api/list_query.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "protocol/languages.h"
#include "server/options/text_limits.h"
#include "server/submission/model_name.h"

namespace server {
namespace {

constexpr int max_page = 100;
constexpr int default_page = 20;

QueryResult<std::optional<JobState>> wanted_state(const std::string& text) {
  if (text.empty()) return std::optional<JobState>();
  for (const JobState state : {JobState::queued, JobState::running, JobState::done,
                               JobState::failed, JobState::cancelled}) {
    if (text == name(state)) return std::optional(state);
  }
  return invalid("status", fmt::format("There is no status {}.", text),
                 "Use queued, running, done, failed or cancelled.");
}

QueryResult<std::string> wanted_language(const std::string& text) {
  if (text.empty()) return std::string();
  const auto code = protocol::language_code(text);
  if (code) return std::string(*code);
  return invalid("language", fmt::format("There is no language {}.", text),
                 "Use a code such as de, or a name such as german.");
}

}  // namespace

QueryResult<int> page_size(const Exchange& exchange) {
  const auto text = exchange.query("limit");
  if (!text) return default_page;
  int limit = 0;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), limit);
  const bool is_number = failure == std::errc() && end == text->data() + text->size();
  if (is_number && limit >= 1 && limit <= max_page) return limit;
  return invalid("limit", fmt::format("limit must be a number from 1 to {}.", max_page));
}

QueryResult<std::string> wanted_text(const Exchange& exchange) {
  const std::string text = exchange.query("q").value_or("");
  const auto fits = check_bytes("parameter q", text.size(), max_name_bytes);
  if (!fits) return FormError{fits.error(), "q"};
  return text;
}

QueryResult<JobFilter> job_filter(const Exchange& exchange, const Services& services) {
  const auto state = wanted_state(exchange.query("status").value_or(""));
  if (!state) return state.error();
  const auto language = wanted_language(exchange.query("language").value_or(""));
  if (!language) return language.error();
  const auto text = wanted_text(exchange);
  if (!text) return text.error();
  const std::string model = exchange.query("model").value_or("");
  return JobFilter{.state = *state,
                   .model = model.empty() ? "" : meant_model(services, model),
                   .language = *language,
                   .text = *text};
}

}  // namespace server
