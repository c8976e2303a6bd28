#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/option_table.h"
#include "server/base/error.h"
#include "server/config/config.h"

namespace server {

// A pointer to a value in a Config; its type is the type of the setting.
using Place = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*,
                           protocol::TranscribeOptions*>;

// One row of the table that files, environment, flags, `config show` and the documentation share.
struct Setting {
  std::string key{};          // "server.listen"
  Place (*place)(Config&){};  // its default is that of a new Config
  std::string help{};         // one sentence or two; they name the unit where the key does not
  double min = 0;             // for numbers, inclusive
  double max = std::numeric_limits<double>::max();
  std::vector<std::string_view> choices{};   // for texts; empty: any text
  std::string_view environment{};            // empty: environment_name() derives it
  bool is_secret = false;                    // set by the environment alone, and never shown
  bool is_live = false;                      // a reload takes it over while scribed works
  const protocol::Option* option = nullptr;  // the one meant where `place` is all options
};

std::span<const Setting> settings();

// Returns nullptr if there is no such setting.
const Setting* find_setting(std::string_view key);

// Returns the known key that is most like this one; empty if none is.
std::string nearest_key(std::string_view key);

// Returns SCRIBED_SERVER_LISTEN for server.listen.
std::string environment_name(const Setting& setting);

// Returns the current value as TOML writes it: true, 5, "text", ["a", "b"]. A secret gives "(set)"
// or "(not set)".
std::string value_text(const Setting& setting, const Config& config);

// Sets a value that passes the setting's limits. The error says what the value may be, and not
// where it came from.
Result<void> set_value(const Setting& setting, Config& config, bool value);
Result<void> set_value(const Setting& setting, Config& config, std::int64_t value);
Result<void> set_value(const Setting& setting, Config& config, double value);
Result<void> set_value(const Setting& setting, Config& config, std::string value);
Result<void> set_value(const Setting& setting, Config& config, std::vector<std::string> value);

// Sets a value from text without a type, as the environment and flags have it; lists are divided at
// commas.
Result<void> set_text(const Setting& setting, Config& config, const std::string& text);

// Describes what a value may be: "a whole number from 1 to 600", "one of logfmt, json".
std::string allowed_values(const Setting& setting);

}  // namespace server
