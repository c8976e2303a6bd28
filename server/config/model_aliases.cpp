#include "server/config/model_aliases.h"

#include <fmt/format.h>

#include <string_view>

namespace server {
namespace {

// Names of models on other servers contain slashes ("org/model"). An alias is part of a path.
bool is_alias(std::string_view name) {
  return name.find(' ') == name.npos && !name.starts_with('/') && !name.ends_with('/') &&
         name.find("//") == name.npos;
}

}  // namespace

Result<std::map<std::string, std::string>> parse_aliases(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> aliases;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const bool has_both = equals != text.npos && equals > 0 && equals + 1 < text.size();
    if (!has_both || !is_alias(std::string_view(text).substr(0, equals))) {
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
