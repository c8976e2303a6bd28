#include "server/config/model_aliases.h"

#include <fmt/format.h>

namespace server {

Result<std::map<std::string, std::string>> parse_aliases(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> aliases;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const bool has_both = equals != text.npos && equals > 0 && equals + 1 < text.size();
    if (!has_both || text.find_first_of(" /", 0) < equals) {
      return Error{errc::bad_config, fmt::format("model.aliases: \"{}\" is no alias", text),
                   "Write each as a name and a model: fast=tiny.en."};
    }
    const std::string name = text.substr(0, equals);
    if (!aliases.emplace(name, text.substr(equals + 1)).second) {
      return Error{errc::bad_config,
                   fmt::format("model.aliases: \"{}\" stands for two models", name),
                   "Remove one of them."};
    }
  }
  return aliases;
}

}  // namespace server
