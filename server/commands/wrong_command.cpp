#include "server/commands/wrong_command.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "server/base/edit_distance.h"
#include "server/commands/other_programs.h"

namespace server {
namespace {

// Whether it takes no arguments of its own, so that a word which is no option has to be one.
bool needs_subcommand(const CLI::App& app) {
  bool takes_words = false;
  for (const auto* option : app.get_options()) takes_words |= option->get_positional();
  return !takes_words && !app.get_subcommands([](const CLI::App*) { return true; }).empty();
}

const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
  for (const auto* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

std::string nearest_subcommand(const CLI::App& app, std::string_view word) {
  std::string nearest;
  word = word.substr(0, 40);
  std::size_t smallest = std::min<std::size_t>(4, word.size());  // else it is another word
  for (const auto* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_group().empty()) continue;  // it is not for people
    const bool begins = !word.empty() && one->get_name().starts_with(word);
    const std::size_t changes = begins ? 1 : edit_distance(word, one->get_name());
    if (changes >= smallest) continue;
    smallest = changes;
    nearest = one->get_name();
  }
  return nearest;
}

bool is_file(const std::string& word) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(word, ignored);
}

std::string meant_instead(const CLI::App& app, const std::string& line, const std::string& word) {
  if (app.get_parent() == nullptr && is_file(word)) {
    return "Did you mean " + line + " transcribe " + word + "?";
  }
  std::string known = instead_of(line, word);
  if (!known.empty()) return known;
  const std::string nearest = nearest_subcommand(app, word);
  if (!nearest.empty()) return "Did you mean " + line + " " + nearest + "?";
  return "See: " + line + " --help";
}

}  // namespace

std::optional<Error> wrong_command(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string line = app.get_name();
  for (const auto& word : words) {
    if (!needs_subcommand(*at)) return std::nullopt;
    // The value of an option cannot be told from a word here, so nothing behind one is judged.
    if (word.starts_with('-')) return std::nullopt;
    const CLI::App* next = subcommand(*at, word);
    if (next == nullptr) {
      return Error{errc::usage, "there is no command " + line + " " + word,
                   meant_instead(*at, line, word)};
    }
    at = next;
    line += " " + word;
  }
  return std::nullopt;
}

}  // namespace server
