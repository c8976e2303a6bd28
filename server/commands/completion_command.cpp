#include "server/commands/completion_command.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "protocol/languages.h"
#include "server/commands/completion.h"
#include "server/commands/completion_scripts.h"
#include "server/commands/shown_language.h"
#include "server/commands/surroundings.h"
#include "server/models/registry.h"

namespace server {
namespace {

constexpr char completion_footer[] =
    R"(For this shell: source <(scribed completion bash). Permanently:
  bash  scribed completion bash > ~/.local/share/bash-completion/completions/scribed
  zsh   scribed completion zsh > FOLDER/_scribed, with FOLDER in fpath
  fish  scribed completion fish > ~/.config/fish/completions/scribed.fish
Packages of scribed install them.)";

std::vector<Candidate> installed_models() {
  std::vector<Candidate> models;
  for (const auto& model : own_store().list().models) {
    models.push_back({model.manifest.name, model.manifest.format});
  }
  return models;
}

std::vector<Candidate> spoken_languages() {
  std::vector<Candidate> all{{"auto", "detect it"}};
  for (const auto& language : protocol::languages()) {
    all.push_back({std::string(language.code), shown_language(language.code)});
  }
  return all;
}

std::vector<Candidate> values_of(std::string_view kind) {
  if (kind == "MODEL") return installed_models();
  if (kind == "LANGUAGE") return spoken_languages();
  if (kind == "BOOL") return {{"true"}, {"false"}};
  if (kind == "DEVICE") return {{"auto"}, {"cpu"}, {"cuda"}, {"rocm"}, {"mps"}};
  std::vector<Candidate> names;
  if (kind == "NAME") {
    for (const auto& model : registered_models()) names.push_back({model.name});
  }
  return names;
}

ExitCode print_completion(const CLI::App& app, const std::vector<std::string>& words) {
  const auto completion = complete(app, words, values_of);
  for (const auto& [text, description] : completion.candidates) {
    fmt::print("{}\t{}\n", text, description);
  }
  if (completion.files) fmt::print(":files\n");
  return ExitCode::ok;
}

}  // namespace

void add_completion_command(CLI::App& app, Command& chosen) {
  auto* completion = app.add_subcommand("completion", "Print a completion script for a shell");
  completion->footer(completion_footer);
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "The shell")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->required();
  completion->callback([shell, &chosen] {
    chosen = [shell] {
      fmt::print("{}", completion_script(*shell));
      return ExitCode::ok;
    };
  });

  auto* asked = app.add_subcommand("complete", "Answer the script of a shell")->group("");
  const auto words = std::make_shared<std::vector<std::string>>();
  asked->add_option("WORD", *words, "Words of the line; the last one is completed");
  asked->callback(
      [words, &app, &chosen] { chosen = [words, &app] { return print_completion(app, *words); }; });
}

}  // namespace server
