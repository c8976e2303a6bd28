#include "server/commands/wrong_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/edit_distance.h"
#include "server/commands/other_programs.h"

namespace server {
namespace {

// The command that the line has named, or the one before the word that names none.
const CLI::App& asked(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : asked(*chosen.front());
}

std::string line_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : line_of(*parent) + " " + command.get_name();
}

std::string nearest_option(const CLI::App& command, std::string_view name) {
  name = name.substr(0, 40);
  std::string nearest;
  std::size_t smallest = std::min<std::size_t>(4, name.size());  // else it is another word
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // it is not for people
    for (const auto& known : option->get_lnames()) {
      const bool begins = !name.empty() && known.starts_with(name);
      const std::size_t changes = begins ? 1 : edit_distance(name, known);
      if (changes >= smallest) continue;
      smallest = changes;
      nearest = "--" + known;
    }
  }
  return nearest;
}

Error unknown_option(const CLI::App& command, const std::string& option) {
  const std::string line = line_of(command);
  const std::string nearest =
      option.starts_with("--") ? nearest_option(command, option.substr(2)) : "";
  if (nearest == option) {
    return {errc::usage, "the option " + option + " stands before the command it belongs to",
            "Write it behind: " + line + " " + option};
  }
  std::string fix = instead_of(line, option);
  if (fix.empty()) {
    fix = nearest.empty() ? "See: " + line + " --help" : "Did you mean " + nearest + "?";
  }
  return {errc::usage, "there is no option " + option + " of " + line, std::move(fix)};
}

}  // namespace

Error wrong_arguments(const CLI::App& app, const CLI::ParseError& refused) {
  const CLI::App& command = asked(app);
  for (const auto& word : app.remaining(true)) {
    if (word.size() < 2 || !word.starts_with('-')) continue;
    const std::string option = word.substr(0, word.find('='));
    return unknown_option(command, option);
  }
  const std::string said = refused.what();
  const auto end = said.find('\n');
  if (end == said.npos) return {errc::usage, said, "See: " + line_of(command) + " --help"};
  return {errc::usage, said.substr(0, end), said.substr(end + 1)};
}

}  // namespace server
