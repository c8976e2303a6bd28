#include "server/config/known_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "server/base/edit_distance.h"
#include "server/config/settings_table.h"

namespace server {
namespace {

constexpr std::string_view own_prefix = "SCRIBED_";
constexpr std::size_t most_name_bytes = 80;
constexpr std::size_t most_changes = 2;

// What is read besides settings: by commands, by the programs around a model, by libraries of ours.
constexpr std::array<std::string_view, 8> besides_settings{
    "SCRIBED_CONFIG",  "SCRIBED_CPU",           "SCRIBED_DATA_DIR", "SCRIBED_FUSED_KERNELS",
    "SCRIBED_LIBEXEC", "SCRIBED_PROBE_SECONDS", "SCRIBED_SERVER",   "SCRIBED_SYSTEM_ROOT"};

constexpr std::array<std::string_view, 2> of_client_keys{"SCRIBED_API_KEY",
                                                         "SCRIBED_SERVER_KEY_FILE"};

std::vector<std::string> known_variables() {
  std::vector<std::string> names(besides_settings.begin(), besides_settings.end());
  for (const Setting& setting : settings()) names.push_back(environment_name(setting));
  return names;
}

// SCRIBED_PORT, SCRIBED_PORT_8080_TCP_ADDR, SCRIBED_SERVICE_HOST, SCRIBED_GATEWAY_SERVICE_PORT …
bool is_of_kubernetes(std::string_view name) {
  constexpr std::string_view port = "_PORT";
  if (name.find("_SERVICE_HOST") != name.npos || name.find("_SERVICE_PORT") != name.npos) {
    return true;
  }
  const auto at = name.find(port);
  if (at == name.npos) return false;
  const auto rest = name.substr(at + port.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '_' && rest[1] >= '0' && rest[1] <= '9');
}

std::size_t changes_between(std::string_view unknown, std::string_view known) {
  // The right name without its table counts as near, too: SCRIBED_ALLOW_ANYONE.
  const auto rest = unknown.substr(own_prefix.size() - 1);
  return rest.size() > 1 && known.ends_with(rest) ? 1 : edit_distance(unknown, known);
}

UnknownVariable judged(const std::string& name, const std::vector<std::string>& known) {
  UnknownVariable unknown{.name = name};
  std::size_t smallest = most_changes + 1;
  for (const auto& candidate : known) {
    const auto changes = changes_between(name.substr(0, most_name_bytes), candidate);
    if (changes >= smallest) continue;
    smallest = changes;
    unknown.nearest = candidate;
  }
  const bool is_like_none = unknown.nearest.empty() && name.find("KEY") != name.npos;
  if (is_like_none) unknown.nearest = of_client_keys.front();
  unknown.resembles_key =
      std::ranges::find(of_client_keys, unknown.nearest) != of_client_keys.end();
  return unknown;
}

}  // namespace

std::vector<UnknownVariable> unknown_variables(const std::vector<std::string>& names) {
  const auto known = known_variables();
  std::vector<UnknownVariable> unknown;
  for (const auto& name : names) {
    const bool is_ours = name.starts_with(own_prefix) && !name.starts_with("SCRIBED_FAKE_");
    if (!is_ours || is_of_kubernetes(name) || std::ranges::find(known, name) != known.end()) {
      continue;
    }
    unknown.push_back(judged(name, known));
  }
  return unknown;
}

std::string text_of(const UnknownVariable& unknown) {
  const std::string fix = unknown.nearest.empty()
                              ? "See: scribed config example"
                              : fmt::format("Did you mean {}?", unknown.nearest);
  return fmt::format("{} is set, and scribed does not know it. {}", unknown.name, fix);
}

}  // namespace server
