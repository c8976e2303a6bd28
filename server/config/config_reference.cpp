#include "server/config/config_reference.h"

#include <fmt/format.h>

#include "protocol/json_parse.h"
#include "server/config/settings_table.h"

namespace server {
namespace {

using nlohmann::ordered_json;

constexpr char header[] =
    R"(# The configuration of scribed. Commented settings show the defaults.
# Order of precedence, lowest first: /etc/scribed/config.toml, ~/.config/scribed/config.toml, the file
# of --config or SCRIBED_CONFIG, environment variables, the command line.
# `scribed config show` prints each value and where it comes from; `scribed config check FILE` checks
# a file.
)";

std::string_view table_of(std::string_view key) {
  return key.substr(0, key.find('.'));
}

std::string_view name_of(std::string_view key) {
  return key.substr(key.find('.') + 1);
}

std::string origin_of(const Setting& setting, const Config& config) {
  const auto found = config.origins.find(std::string(setting.key));
  return found == config.origins.end() ? "built in" : found->second;
}

// Calls `write` for each setting, after the heads of their tables.
template <class Write>
std::string by_tables(std::string text, Write write) {
  std::string_view table;
  for (const Setting& setting : settings()) {
    if (table_of(setting.key) != table) {
      table = table_of(setting.key);
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", table);
    }
    text += write(setting);
  }
  return text;
}

ordered_json json_value(const Setting& setting, const Config& config) {
  if (setting.is_secret) return nullptr;
  // One line of TOML is valid JSON too, for the types that settings have.
  return protocol::json::parse_text(value_text(setting, config)).value();
}

}  // namespace

std::string config_text(const Config& config) {
  return by_tables("", [&](const Setting& setting) {
    const auto line = fmt::format("{}{} = {}", setting.is_secret ? "# " : "", name_of(setting.key),
                                  value_text(setting, config));
    return fmt::format("{:<40} # {}\n", line, origin_of(setting, config));
  });
}

ordered_json config_json(const Config& config) {
  auto list = ordered_json::array();
  for (const Setting& setting : settings()) {
    ordered_json row{{"key", setting.key},
                     {"value", json_value(setting, config)},
                     {"origin", origin_of(setting, config)},
                     {"environment", environment_name(setting)},
                     {"help", setting.help}};
    if (setting.is_secret) row["is_set"] = value_text(setting, config) == "(set)";
    list.push_back(std::move(row));
  }
  return {{"settings", std::move(list)}};
}

std::string config_reference() {
  const Config defaults;
  return by_tables(header, [&](const Setting& setting) {
    if (setting.is_secret) {
      return fmt::format("\n# {}\n# Only from the environment ({}).\n", setting.help,
                         environment_name(setting));
    }
    return fmt::format("\n# {}\n# Must be {} ({}).{}\n#{} = {}\n", setting.help,
                       allowed_values(setting), environment_name(setting),
                       setting.is_live ? " Reloadable." : "", name_of(setting.key),
                       value_text(setting, defaults));
  });
}

}  // namespace server
