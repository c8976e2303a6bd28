#include "platform/facts/json_fields.h"

namespace platform {

std::optional<ProbeOutcome> parse_outcome(std::string_view text) {
  using enum ProbeOutcome;
  for (const auto outcome :
       {not_run, answered, library_missing, failed, hung, crashed, not_started}) {
    if (text == name(outcome)) return outcome;
  }
  return {};
}

std::string printable(const std::string& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

void JsonReader::take(const nlohmann::json& json, bool& value) {
  if (expect(json.is_boolean(), "true or false")) value = json.get<bool>();
}

void JsonReader::take(const nlohmann::json& json, std::string& value) {
  if (expect(json.is_string(), "a text")) value = json.get<std::string>();
}

void JsonReader::take(const nlohmann::json& json, ProbeOutcome& value) {
  std::string word;
  take(json, word);
  if (problem_) return;
  const auto outcome = parse_outcome(word);
  if (expect(outcome.has_value(), "a known outcome")) value = *outcome;
}

void JsonReader::take(const nlohmann::json& json, ComputeCapability& value) {
  std::string text;
  take(json, text);
  if (problem_) return;
  const auto capability = ComputeCapability::parse(text);
  if (expect(capability.has_value(), "a compute capability")) value = *capability;
}

bool JsonReader::expect(bool condition, const char* what) {
  if (condition) return true;
  if (!problem_) {
    problem_ = (path_.empty() ? std::string("the answer") : path_.substr(1)) + " is not " + what;
  }
  return false;
}

}  // namespace platform
