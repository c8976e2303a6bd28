#include "server/commands/completion.h"

#include <optional>
#include <sstream>

namespace server {
namespace {

// Returns the values of CLI::IsMember, which are known only by their description: "TEXT:{srt,txt}".
std::vector<Candidate> choices_of(const std::string& type_name) {
  std::vector<Candidate> choices;
  const auto begin = type_name.find(":{");
  const auto end = type_name.find('}', begin == type_name.npos ? 0 : begin);
  if (begin == type_name.npos || end == type_name.npos) return choices;
  std::istringstream list(type_name.substr(begin + 2, end - begin - 2));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back({choice});
  return choices;
}

bool is_file_kind(std::string_view kind) {
  return kind == "FILE" || kind == "FOLDER" || kind == "PATH" || kind == "FILE|DIR|-";
}

// Shortens a description to one line.
std::string first_sentence(const std::string& text) {
  return text.substr(0, text.find_first_of(";\n"));
}

class Completer {
 public:
  Completer(const CLI::App& app, const ValueSource& values) : app_(&app), values_(values) {}

  void read(const std::string& word) {
    if (word == "=" && option_ != nullptr) return;
    if (option_ != nullptr) {
      option_ = nullptr;
    } else if (only_positionals_) {
      ++n_positionals_;
    } else if (word == "--") {
      only_positionals_ = true;
    } else if (word.size() > 1 && word.front() == '-') {
      const auto* option = find_option(word);
      if (option != nullptr && option->get_items_expected_max() > 0) option_ = option;
    } else if (const auto* command = find_command(word)) {
      app_ = command;
      n_positionals_ = 0;
    } else {
      ++n_positionals_;
    }
  }

  Completion finish(const std::string& word) {
    if (option_ != nullptr) {
      add_values(*option_, option_->get_type_name(), "", word == "=" ? "" : word);
    } else if (const auto equals = word.find('=');
               word.starts_with("--") && equals != word.npos && !only_positionals_) {
      if (const auto* option = find_option(word.substr(0, equals))) {
        add_values(*option, option->get_type_name(), word.substr(0, equals + 1),
                   word.substr(equals + 1));
      }
    } else if (word.starts_with("-") && !only_positionals_) {
      add_options(word);
    } else {
      add_commands(word);
      add_positional(word);
    }
    return std::move(found_);
  }

 private:
  const CLI::Option* find_option(const std::string& name) const {
    return app_->get_option_no_throw(name);
  }

  const CLI::App* find_command(const std::string& name) const {
    for (const auto* command : app_->get_subcommands([](const CLI::App*) { return true; })) {
      if (command->get_name() == name) return command;
    }
    return nullptr;
  }

  void add(std::string text, const std::string& description, std::string_view prefix) {
    if (!text.starts_with(prefix)) return;
    found_.candidates.push_back({std::move(text), first_sentence(description)});
  }

  void add_options(std::string_view prefix) {
    for (const auto* option : app_->get_options()) {
      for (const auto& name : option->get_lnames()) {
        add("--" + name, option->get_description(), prefix);
      }
      for (const auto& name : option->get_snames()) {
        if (prefix == "-" || prefix.size() == 2) {
          add("-" + name, option->get_description(), prefix);
        }
      }
    }
  }

  void add_commands(std::string_view prefix) {
    if (only_positionals_) return;
    for (const auto* command : app_->get_subcommands([](const CLI::App*) { return true; })) {
      if (command->get_group().empty()) continue;  // it is not for people
      add(command->get_name(), command->get_description(), prefix);
    }
  }

  void add_positional(const std::string& word) {
    int taken = n_positionals_;
    for (const auto* option : app_->get_options()) {
      if (!option->get_positional()) continue;
      if (taken < option->get_items_expected_max()) {
        add_values(*option, option->get_name(true), "", word);
        return;
      }
      taken -= option->get_items_expected_max();
    }
  }

  void add_values(const CLI::Option& option, const std::string& kind, const std::string& before,
                  const std::string& prefix) {
    auto candidates = choices_of(option.get_type_name());
    if (candidates.empty()) candidates = values_(kind);
    for (const auto& [text, description] : candidates) {
      add(before + text, description, before + prefix);
    }
    found_.files = is_file_kind(kind);
  }

  const CLI::App* app_;
  const ValueSource& values_;
  const CLI::Option* option_ = nullptr;  // the one whose value comes next
  bool only_positionals_ = false;
  int n_positionals_ = 0;
  Completion found_{};
};

}  // namespace

Completion complete(const CLI::App& app, const std::vector<std::string>& words,
                    const ValueSource& values) {
  Completer completer(app, values);
  if (words.empty()) return completer.finish("");
  for (auto word = words.begin(); word + 1 != words.end(); ++word) completer.read(*word);
  return completer.finish(words.back());
}

}  // namespace server
