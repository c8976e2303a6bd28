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

// Where a value lies in a Config; what it points to is the type of the setting.
using Place = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*,
                           protocol::TranscribeOptions*>;

// One row of the table that files, environment, flags, `config show` and the documentation share.
struct Setting {
  std::string key{};          // "server.listen"
  Place (*place)(Config&){};  // its default is that of a new Config
  std::string help{};         // one sentence or two
  double min = 0;             // of numbers, inclusive; also its unit where the key names none
  double max = std::numeric_limits<double>::max();
  std::vector<std::string_view> choices{};   // of texts; empty: any
  std::string_view environment{};            // empty: as environment_name() makes it
  bool is_secret = false;                    // from the environment alone, and never shown
  const protocol::Option* option = nullptr;  // where the place is all decoding options: which
};

std::span<const Setting> settings();

// nullptr where there is none.
const Setting* find_setting(std::string_view key);

// The known key that is most like this one; empty where none is.
std::string nearest_key(std::string_view key);

// SCRIBED_SERVER_LISTEN for server.listen.
std::string environment_name(const Setting& setting);

// What it is now, as TOML writes it: true, 5, "text", ["a", "b"]. A secret: "(set)" or "(not set)".
std::string value_text(const Setting& setting, const Config& config);

// Sets a value that passes the setting's limits. The error says what it may be, and not where the
// value came from.
Result<void> set_value(const Setting& setting, Config& config, bool value);
Result<void> set_value(const Setting& setting, Config& config, std::int64_t value);
Result<void> set_value(const Setting& setting, Config& config, double value);
Result<void> set_value(const Setting& setting, Config& config, std::string value);
Result<void> set_value(const Setting& setting, Config& config, std::vector<std::string> value);

// From text without a type, as the environment and flags have it; lists are divided at commas.
Result<void> set_text(const Setting& setting, Config& config, const std::string& text);

// "a whole number from 1 to 600", "one of logfmt, json": what a value may be.
std::string allowed_values(const Setting& setting);

}  // namespace server
