#pragma once

#include <string>
#include <vector>

#include "server/config/config.h"

namespace server {

// What became of the differences between two configurations, by key.
struct ConfigChanges {
  std::vector<std::string> taken{};
  std::vector<std::string> need_restart{};
};

// Takes over from `fresh` the settings that may change while scribed works (Setting::is_live), and
// tells which others differ. Secrets stay as they are.
ConfigChanges take_live_settings(const Config& fresh, Config& config);

}  // namespace server
