#include "server/config/named_key_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "protocol/json_text.h"
#include "server/config/folders.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Returns where the line behind the header of the table `server` begins; npos: there is none.
std::size_t behind_header(std::string_view text) {
  constexpr std::string_view header = "[server]";
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto first = text.find_first_not_of(" \t", at);
    if (first < end && text.substr(first).starts_with(header))
      return std::min(end + 1, text.size());
    at = end + 1;
  }
  return std::string_view::npos;
}

bool is_toml(const std::string& text) {
  try {
    return !toml::parse(text).empty();
  } catch (const toml::parse_error&) {
    return false;
  }
}

}  // namespace

Result<KeyFilePlace> place_of_key_file(const ConfigSources& sources, bool is_root) {
  fs::path config = sources.named_file.empty() ? fs::path(sources.environment("SCRIBED_CONFIG"))
                                               : sources.named_file;
  std::error_code failure;
  if (config.empty() && is_root && fs::exists(sources.system_file, failure)) {
    config = sources.system_file;
  }
  if (config.empty()) {
    const auto own = user_folder(sources.environment, "XDG_CONFIG_HOME", ".config");
    if (!own.empty()) config = own / "config.toml";
  }
  if (config.empty()) {
    return Error{errc::usage, "there is no folder for the file of keys",
                 "Name a file with --key-file FILE, and as server.key_file in the configuration."};
  }
  config = fs::absolute(config, failure);
  return KeyFilePlace{config, config.parent_path() / "keys"};
}

Result<std::string> with_key_file(std::string_view text, const fs::path& keys) {
  // TOML and JSON write texts alike.
  const std::string path = protocol::json::dump(nlohmann::json(keys.string()));
  const std::string line = fmt::format("key_file = {}\n", path);
  std::string named(text);
  if (!named.empty() && !named.ends_with('\n')) named += '\n';
  if (const auto at = behind_header(named); at != named.npos) {
    named.insert(at, line);
  } else {
    named += (named.empty() ? "[server]\n" : "\n[server]\n") + line;
  }
  if (is_toml(named)) return named;
  return Error{errc::bad_config, "server.key_file could not be added to the configuration",
               "Write it into the table [server]: " + line.substr(0, line.size() - 1)};
}

}  // namespace server
