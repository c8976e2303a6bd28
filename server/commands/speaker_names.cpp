#include "server/commands/speaker_names.h"

#include <fmt/format.h>

#include "protocol/json_text.h"
#include "server/commands/answer_fields.h"

namespace server {

Result<std::string> speaker_names_body(std::span<const std::string> words) {
  auto names = nlohmann::json::object();
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0) {
      return Error{errc::usage, fmt::format("\"{}\" names no speaker", word),
                   "Give a letter and a name: A=Anna"};
    }
    names[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const nlohmann::json body{{"speaker_names", std::move(names)}};
  return protocol::json::dump(body);
}

std::string speakers_text(const nlohmann::json& job) {
  std::string text;
  const auto& names = field_object(job, "speaker_names");
  for (const auto& [label, value] : names.items()) {
    const std::string name = field_text(names, label.c_str());
    text += (text.empty() ? "" : ", ") + label;
    if (name != label) text += " is " + name;
  }
  return text;
}

}  // namespace server
