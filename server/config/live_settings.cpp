#include "server/config/live_settings.h"

#include "server/config/settings_table.h"

namespace server {
namespace {

void copy_value(const Setting& setting, Config& from, Config& to) {
  const Place source = setting.place(from), target = setting.place(to);
  std::visit([&](auto* value) { *std::get<decltype(value)>(target) = *value; }, source);
}

}  // namespace

ConfigChanges take_live_settings(const Config& fresh, Config& config) {
  ConfigChanges changes;
  Config source = fresh;  // the table gives places in a Config that may be written to
  for (const Setting& setting : settings()) {
    if (setting.is_secret) continue;
    if (value_text(setting, source) == value_text(setting, config)) continue;
    if (!setting.is_live) {
      changes.need_restart.push_back(setting.key);
      continue;
    }
    copy_value(setting, source, config);
    config.origins.erase(setting.key);
    if (const auto origin = source.origins.find(setting.key); origin != source.origins.end()) {
      config.origins.insert(*origin);
    }
    changes.taken.push_back(setting.key);
  }
  return changes;
}

}  // namespace server
