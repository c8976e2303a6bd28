#include "platform/shield.h"

#include <nlohmann/json.hpp>

namespace platform {

std::vector<std::string> standing(const std::vector<Shield>& shields) {
  std::vector<std::string> texts;
  for (const auto& shield : shields) {
    if (shield.active) texts.push_back(shield.name + " (" + shield.detail + ")");
  }
  return texts;
}

std::vector<std::string> missing(const std::vector<Shield>& shields) {
  std::vector<std::string> texts;
  for (const auto& shield : shields) {
    if (!shield.active) texts.push_back(shield.name + ": " + shield.detail);
  }
  return texts;
}

std::string to_json(const std::vector<Shield>& shields) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& shield : shields) {
    json[shield.name] = {{"active", shield.active}, {"detail", shield.detail}};
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Shield> parse_shields(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  std::vector<Shield> shields;
  if (!json.is_object()) return shields;
  for (const auto& [name, facts] : json.items()) {
    if (!facts.is_object()) continue;
    const auto active = facts.find("active");
    const auto detail = facts.find("detail");
    shields.push_back({name, active != facts.end() && active->is_boolean() && active->get<bool>(),
                       detail != facts.end() && detail->is_string() ? detail->get<std::string>()
                                                                    : std::string()});
  }
  return shields;
}

}  // namespace platform
