#include "server/commands/keys_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "protocol/json_text.h"
#include "server/base/counted.h"
#include "server/commands/key_file.h"
#include "server/commands/key_lines.h"
#include "server/commands/new_key_file.h"
#include "server/commands/table.h"
#include "server/config/environment.h"
#include "server/config/load_config.h"
#include "server/http/key_line.h"

namespace server {
namespace {

constexpr char keys_footer[] =
    R"(Edits the key file (server.key_file), which stores only the hash of a key. To make
a running server read it again: systemctl reload scribed, or scribed config
reload.)";

struct KeysArguments {
  std::filesystem::path file{};
  std::filesystem::path config{};
  std::string name{};
  std::vector<std::string> rights{};
  std::string until{};
  std::vector<std::string> limits{};  // "NAME=NUMBER"
  std::string which{};
  bool json = false;
};

ConfigSources sources_of(const KeysArguments& arguments) {
  return {.environment = process_environment, .named_file = arguments.config};
}

// Returns the file that is meant; an empty path: nothing names one.
Result<std::filesystem::path> named_file(const KeysArguments& arguments) {
  if (!arguments.file.empty()) return arguments.file;
  const auto config = load_config(sources_of(arguments));
  if (!config) return config.error();
  return std::filesystem::path(config->server.key_file);
}

Result<std::filesystem::path> file_of(const KeysArguments& arguments) {
  auto file = named_file(arguments);
  if (!file || !file->empty()) return file;
  return Error{errc::usage, "the configuration has no key file",
               "Create one with its first key: scribed keys add NAME; or set --key-file."};
}

// Returns the place for a file of keys where the configuration names none, and makes its folder.
Result<KeyFilePlace> new_place(const KeysArguments& arguments) {
  auto place = place_of_key_file(sources_of(arguments), ::geteuid() == 0);
  if (!place) return place.error();
  if (const auto made = make_folder_of(*place); !made) return made.error();
  return place;
}

Result<void> write_key(const KeysArguments& arguments, const std::filesystem::path& file,
                       const std::string& key, const std::string& rest) {
  return edit_key_file(file, [&](std::string_view text) {
    return Result<std::string>(with_key(text, arguments.name, key, rest));
  });
}

Result<KeyTerms> wanted_terms(const KeysArguments& arguments) {
  KeyTerms terms{.rights = arguments.rights, .until = arguments.until};
  for (const auto& limit : arguments.limits) {
    const auto equals = limit.find('=');
    if (equals == limit.npos) {
      return Error{errc::usage, "--limit " + limit + " has no number",
                   "Write --limit NAME=NUMBER."};
    }
    terms.limits.emplace_back(limit.substr(0, equals), limit.substr(equals + 1));
  }
  return terms;
}

void say_how_to_reload() {
  fmt::print(stderr,
             "scribed: to apply this to a running server: scribed config reload, or SIGHUP\n");
}

// A service has a user of its own, who has to be able to read the file.
void say_who_reads(const std::filesystem::path& file) {
  if (!is_for_root_alone(file)) return;
  report_warning(
      fmt::format("only root can read {0}; for the service: chown scribed: {0}", file.string()));
}

nlohmann::ordered_json json_of_limit(const std::string& text) {
  const auto read = [&text](auto& number) {
    const char* const end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    return failure == std::errc{} && rest == end;
  };
  if (std::int64_t whole = 0; read(whole)) return whole;
  if (double number = 0; read(number)) return number;
  return text;
}

nlohmann::ordered_json json_of_key(const ListedKey& key) {
  const KeyTerms terms = key_terms(key.rest);
  nlohmann::ordered_json json{{"name", key.name}, {"id", key.id}, {"rights", terms.rights}};
  json["until"] = nullptr;
  if (!terms.until.empty()) json["until"] = terms.until;
  json["limits"] = nlohmann::ordered_json::object();
  for (const auto& [name, number] : terms.limits) json["limits"][name] = json_of_limit(number);
  return json;
}

void print_key(const KeysArguments& arguments, const std::string& key, const std::string& rest) {
  if (arguments.json) {
    auto added = json_of_key(key_lines(with_key("", arguments.name, key, rest)).front());
    added["key"] = key;
    fmt::print("{}\n", protocol::json::dump(added));
  } else {
    fmt::print("{}\n", key);
  }
  fmt::print(stderr, "scribed: new key of {}; it is not shown again\n", arguments.name);
}

ExitCode list_keys(const KeysArguments& arguments) {
  const auto file = file_of(arguments);
  if (!file) return report_error(file.error());
  const auto text = read_key_file(*file);
  if (!text) return report_error(text.error());
  const auto keys = key_lines(*text);
  if (arguments.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& key : keys) list.push_back(json_of_key(key));
    fmt::print("{}\n", protocol::json::dump(list));
    return ExitCode::ok;
  }
  Table table({"NAME", "ID", "SCOPES, EXPIRY, LIMITS"});
  for (const auto& key : keys) {
    const char* usual = key.rest.find('[') != key.rest.npos ? "" : "[transcribe, read_status] ";
    table.add({key.name, key.id, usual + key.rest});
  }
  if (!keys.empty()) fmt::print("{}\n", table.text(table_width()));
  fmt::print("{} in {}\n", counted(keys.size(), "key"), file->string());
  return ExitCode::ok;
}

ExitCode add_key(const KeysArguments& arguments) {
  if (const auto checked = check_key_name(arguments.name); !checked) {
    return report_error(checked.error());
  }
  const auto terms = wanted_terms(arguments);
  if (!terms) return report_error(terms.error());
  const auto rest = rest_of_line(arguments.name, *terms);
  if (!rest) return report_error(rest.error());
  const auto named = named_file(arguments);
  if (!named) return report_error(named.error());
  const bool is_new = named->empty();
  const auto place = is_new ? new_place(arguments) : KeyFilePlace{.keys = *named};
  if (!place) return report_error(place.error());
  const std::string key = new_key();
  auto done = write_key(arguments, place->keys, key, *rest);
  if (done && is_new) done = name_in_config(*place);
  if (!done) return report_error(done.error());
  print_key(arguments, key, *rest);
  if (is_new) {
    fmt::print(stderr,
               "scribed: created {}, set in {}: scribed serve requires keys from its next start\n",
               place->keys.string(), place->config.string());
  }
  say_who_reads(place->keys);
  if (!is_new) say_how_to_reload();
  return ExitCode::ok;
}

ExitCode remove_keys(const KeysArguments& arguments) {
  const auto file = file_of(arguments);
  if (!file) return report_error(file.error());
  std::vector<ListedKey> removed;
  const auto done = edit_key_file(*file, [&](std::string_view text) -> Result<std::string> {
    std::string edited = without_keys(text, arguments.which, removed);
    if (!removed.empty()) return edited;
    return Error{errc::usage, "there is no key with the name or id " + arguments.which,
                 "See: scribed keys list"};
  });
  if (!done) return report_error(done.error());
  fmt::print("{} of {} removed\n", counted(removed.size(), "key"), removed.front().name);
  say_how_to_reload();
  return ExitCode::ok;
}

}  // namespace

void add_keys_command(CLI::App& app, Command& chosen) {
  auto* keys = app.add_subcommand("keys", "List, add and remove API keys");
  keys->require_subcommand(0, 1);
  keys->footer(keys_footer);
  const auto arguments = std::make_shared<KeysArguments>();
  const auto run = [arguments, &chosen](ExitCode (*work)(const KeysArguments&)) {
    chosen = [arguments, work] { return work(*arguments); };
  };
  keys->callback([keys, run] {
    if (keys->get_subcommands().empty()) run(list_keys);
  });
  const auto with_file = [&](CLI::App* command) {
    command->add_option("--key-file", arguments->file, "Key file; default: server.key_file")
        ->type_name("FILE");
    command->add_option("--config", arguments->config, "Also read this file, for server.key_file")
        ->type_name("FILE");
    return command;
  };
  const auto add_subcommand = [&](const char* name, const char* help,
                                  ExitCode (*work)(const KeysArguments&)) {
    auto* command = with_file(keys->add_subcommand(name, help));
    command->callback([run, work] { run(work); });
    return command;
  };
  with_file(keys);
  keys->add_flag("--json", arguments->json, "Print one JSON array");

  auto* list = add_subcommand("list", "List keys, their scopes and limits", list_keys);
  list->add_flag("--json", arguments->json, "Print one JSON array");
  auto* add = add_subcommand("add", "Create a key and print it once", add_key);
  add->add_option("NAME", arguments->name,
                  "Name of the key's owner; jobs and uploads belong to the name")
      ->required();
  add->add_option("--scopes,--rights", arguments->rights,
                  "Scopes, comma-separated; default: transcribe,read_status")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"transcribe", "read_status", "manage", "back_up"}));
  add->add_option("--expires,--until", arguments->until,
                  "When it expires: 2027-01-31, or 2027-01-31T12:00:00Z")
      ->type_name("DATE");
  add->add_option("--limit", arguments->limits,
                  "Limit of the name: requests_per_minute, running_jobs, stored_bytes, "
                  "sound_seconds_per_day or weight; can be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  add->add_flag("--json", arguments->json, "Print one JSON object");
  auto* remove = add_subcommand("remove", "Remove keys", remove_keys);
  remove
      ->add_option("KEY", arguments->which, "A name (removes all of its keys), or the id of a key")
      ->required();
  // Subcommands have taken the footer over by now, and this is not true of them.
  keys->footer(std::string(keys_footer) + "\nWithout a subcommand: list.");
}

}  // namespace server
