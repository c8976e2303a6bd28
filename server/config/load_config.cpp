#include "server/config/load_config.h"

#include <fmt/format.h>

#include <set>
#include <system_error>
#include <utility>

#include "server/config/config_file.h"
#include "server/config/folders.h"
#include "server/config/known_variables.h"
#include "server/config/settings_table.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Result<void> apply_files(const ConfigSources& sources, Config& config) {
  std::vector<fs::path> files{sources.system_file};
  const auto own = user_folder(sources.environment, "XDG_CONFIG_HOME", ".config");
  if (!own.empty()) files.push_back(own / "config.toml");
  for (const auto& file : files) {
    std::error_code failure;
    if (!fs::exists(file, failure)) continue;
    if (const auto applied = apply_file(file, config); !applied) return applied.error();
  }
  const fs::path named = sources.named_file.empty()
                             ? fs::path(sources.environment("SCRIBED_CONFIG"))
                             : sources.named_file;
  return named.empty() ? Result<void>() : apply_file(named, config);
}

Error wrong_text(const std::string& origin, const Error& error) {
  return {errc::bad_config, origin + ": " + error.message, error.fix};
}

Result<void> apply_environment(const ConfigSources& sources, Config& config) {
  for (const Setting& setting : settings()) {
    const std::string variable = environment_name(setting);
    const std::string text = sources.environment(variable.c_str());
    if (text.empty()) {
      const bool names_keys = setting.key == "server.api_key" || setting.key == "server.key_file";
      if (names_keys && sources.is_set(variable.c_str())) config.empty_key_variable = variable;
      continue;
    }
    const auto set = set_text(setting, config, text);
    if (!set) return wrong_text(variable, set.error());
    config.origins[std::string(setting.key)] = variable;
  }
  for (const auto& unknown : unknown_variables(sources.names())) {
    if (!unknown.resembles_key) continue;
    config.unknown_key_variable = unknown.name;
    config.meant_key_variable = unknown.nearest;
  }
  return {};
}

Result<void> apply_flag(const ConfigFlag& flag, const Setting& setting, bool is_first,
                        Config& config) {
  const Place place = setting.place(config);
  const auto* list = std::get_if<std::vector<std::string>*>(&place);
  if (list == nullptr) return set_text(setting, config, flag.text);
  auto texts = is_first ? std::vector<std::string>() : **list;
  texts.push_back(flag.text);
  return set_value(setting, config, std::move(texts));
}

Error no_setting(const ConfigFlag& flag) {
  const std::string nearest = nearest_key(flag.key);
  return {errc::usage, fmt::format("{} {}: there is no such setting", flag.flag, flag.key),
          nearest.empty() ? "scribed config show lists all of them."
                          : fmt::format("Did you mean {}?", nearest)};
}

Error is_secret(const Setting& setting) {
  return {errc::usage,
          fmt::format("--set {}: it is a secret, and others can read arguments", setting.key),
          "Set it by the environment: " + environment_name(setting)};
}

// A list that is given by flags replaces that of a file and does not add to it.
Result<void> apply_flags(const std::vector<ConfigFlag>& flags, Config& config) {
  std::set<std::string> seen;
  for (const auto& flag : flags) {
    const Setting* setting = find_setting(flag.key);
    if (setting == nullptr) return no_setting(flag);
    if (setting->is_secret && flag.flag == "--set") return is_secret(*setting);
    const auto set = apply_flag(flag, *setting, seen.insert(flag.key).second, config);
    if (!set) return wrong_text(flag.flag, set.error());
    config.origins[flag.key] = flag.flag;
  }
  return {};
}

}  // namespace

Result<Config> load_config(const ConfigSources& sources) {
  Config config;
  if (const auto done = apply_files(sources, config); !done) return done.error();
  if (const auto done = apply_environment(sources, config); !done) return done.error();
  if (const auto done = apply_flags(sources.flags, config); !done) return done.error();
  return config;
}

}  // namespace server
