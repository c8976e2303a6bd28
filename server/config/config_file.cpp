#include "server/config/config_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "server/config/settings_table.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_bytes = 1 << 20;

Result<std::string> read_file(const fs::path& file) {
  std::error_code failure;
  const auto type = fs::status(file, failure).type();
  if (type == fs::file_type::not_found) {
    return Error{errc::input_not_found, file.string() + " does not exist", "Check the path."};
  }
  if (type == fs::file_type::directory) {
    return Error{errc::input_unreadable, file.string() + " is a folder", "Name the file in it."};
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(max_file_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    return Error{errc::input_unreadable, "cannot read " + file.string(), "Check its permissions."};
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > max_file_bytes) {
    return Error{errc::bad_config, file.string() + " is larger than 1 MiB", ""};
  }
  return text;
}

// One value of a file, with what is needed to set it and to report an error in it.
class FileValue {
 public:
  FileValue(const fs::path& file, std::string key, const toml::node& node)
      : key_(std::move(key)),
        node_(node),
        place_(fmt::format("{}:{}", file.string(), node.source().begin.line)) {}

  Result<void> apply(Config& config) const {
    const Setting* setting = find_setting(key_);
    if (setting == nullptr) return unknown();
    if (setting->is_secret) {
      return Error{errc::bad_config, fmt::format("{}: {} is a secret", place_, key_),
                   "Set it by the environment: " + environment_name(*setting)};
    }
    const auto set = set_node(*setting, config);
    if (!set) return Error{errc::bad_config, place_ + ": " + set.error().message, set.error().fix};
    config.origins[key_] = place_;
    return {};
  }

 private:
  Error unknown() const {
    const std::string nearest = nearest_key(key_);
    return {errc::bad_config, fmt::format("{}: there is no setting {}", place_, key_),
            nearest.empty() ? "scribed config show lists all of them."
                            : fmt::format("Did you mean {}?", nearest)};
  }

  Result<void> set_node(const Setting& setting, Config& config) const {
    if (const auto* value = node_.as_boolean()) return set_value(setting, config, value->get());
    if (const auto* value = node_.as_integer()) return set_value(setting, config, value->get());
    if (const auto* value = node_.as_floating_point()) {
      return set_value(setting, config, value->get());
    }
    if (const auto* value = node_.as_string()) return set_value(setting, config, value->get());
    std::vector<std::string> list;
    const auto* array = node_.as_array();
    bool is_list = array != nullptr;
    for (std::size_t i = 0; is_list && i < array->size(); ++i) {
      const auto* text = array->get(i)->as_string();
      is_list = text != nullptr;
      if (text != nullptr) list.push_back(text->get());
    }
    if (is_list) return set_value(setting, config, std::move(list));
    return Error{errc::bad_config,
                 fmt::format("{} must be {}", setting.key, allowed_values(setting)), ""};
  }

  std::string key_;
  const toml::node& node_;
  std::string place_;
};

// Sets the values of a table. A table is no value, so whatever stands in a table of an unknown name
// is unknown too, and an empty one is ignored.
Result<void> apply_table(const fs::path& file, const std::string& prefix, const toml::table& table,
                         Config& config) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const toml::table* inner = node.as_table();
    const auto applied = inner != nullptr && find_setting(key) == nullptr
                             ? apply_table(file, key + ".", *inner, config)
                             : FileValue(file, key, node).apply(config);
    if (!applied) return applied.error();
  }
  return {};
}

}  // namespace

Result<void> apply_file(const fs::path& file, Config& config) {
  const auto text = read_file(file);
  if (!text) return text.error();
  try {
    return apply_table(file, "", toml::parse(*text, file.string()), config);
  } catch (const toml::parse_error& wrong) {
    return Error{
        errc::bad_config,
        fmt::format("{}:{}: {}", file.string(), wrong.source().begin.line, wrong.description()),
        "The file is written in TOML: [server] and below it listen = [\"127.0.0.1:8080\"]"};
  }
}

}  // namespace server
