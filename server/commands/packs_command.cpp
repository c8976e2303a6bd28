#include "server/commands/packs_command.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "platform/runtime_pack.h"
#include "protocol/json_text.h"
#include "server/commands/models_progress.h"
#include "server/commands/owner_rights.h"
#include "server/commands/packs_report.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/device/pack_check.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr char packs_footer[] =
    R"(A GPU needs a runtime pack: a worker, which is part of the packages of scribed, and
some gigabytes of libraries. They are downloaded as Python packages and verified
by sha256; Python is not needed. Packs are in $SCRIBED_DATA_DIR/packs,
/var/lib/scribed/packs or ~/.local/share/scribed/packs. PIP_INDEX_URL, https_proxy
and no_proxy are used. Exit code 75: another process installs or removes the pack.
Without a subcommand: list.)";

struct PacksArguments {
  std::vector<std::string> names{};
  std::string from{};
  std::string index{};
  bool force = false;
  bool json = false;
};

std::vector<ShippedPack> packs_of_installation() {
  return shipped_packs(platform::program_folder());
}

std::filesystem::path own_packs_folder() {
  return packs_folders(process_environment).front();
}

Result<Survey> survey_for_packs() {
  const auto sources = setup_sources({});
  auto request = device_survey(sources.device, sources.environment);
  if (!request) return request.error();
  request->only_what_is_wanted = false;
  return survey_machine(*request);
}

ExitCode list_packs(const PacksArguments& arguments) {
  const auto survey = survey_for_packs();
  if (!survey) return report_error(survey.error());
  const auto packs = listed_packs(packs_of_installation(), survey->packs, survey->verdicts);
  if (arguments.json) {
    fmt::print("{}\n", protocol::json::dump(json_of(packs), 2));
  } else {
    fmt::print("{}", text_of(packs));
  }
  return ExitCode::ok;
}

// Starts the worker of a pack that was installed: only a try can tell whether the libraries of this
// system serve it.
ExitCode try_installed(const ShippedPack& pack) {
  platform::Pack installed{.name = pack.runtime};
  for (const auto& found : platform::find_runtime_packs(platform::program_folder(),
                                                        packs_folders(process_environment))) {
    if (found.name != pack.runtime) continue;
    installed.worker = found.worker.string();
    installed.library_path = found.library_path;
    installed.fetched_to = found.fetched_to.string();
  }
  const std::string problem = problem_of_pack(installed);
  if (problem.empty()) {
    fmt::print("Its worker starts. What it can do here: scribed doctor\n");
    return ExitCode::ok;
  }
  return report_error(
      {errc::device_blocked, pack.list.name + " is installed, but " + problem,
       "See: scribed doctor. It is removed by: scribed packs remove " + pack.list.name});
}

void print_restart() {
  fmt::print("A server that runs goes on with the old libraries: restart it.\n");
}

ExitCode install_one(const PacksArguments& arguments, const std::string& name) {
  const auto pack = find_shipped(packs_of_installation(), name);
  if (!pack) return report_error(to_error(pack.error()));
  const PackInstall wanted{.root = own_packs_folder(),
                           .from = arguments.from,
                           .index = package_index(arguments.index, process_environment),
                           .replace = arguments.force};
  ModelsProgress progress;
  const auto installed = install_pack(pack->list, wanted, progress.observer());
  progress.clear();
  if (!installed) return report_error(to_error(installed.error()));
  if (installed->was_installed) {
    fmt::print("{} is installed already\n", pack->list.name);
  } else {
    fmt::print("{} is installed: {} in {}\n", pack->list.name,
               readable_size(installed_bytes(pack->list)), installed->folder.string());
    print_restart();
  }
  return try_installed(*pack);
}

ExitCode remove_one(const std::string& name) {
  const auto pack = find_shipped(packs_of_installation(), name);
  // The worker of a pack may have gone with an older installation; its libraries have not.
  const std::string folder = pack ? pack->list.name : name;
  if (!is_pack_name(folder)) return report_error(to_error(pack.error()));
  const auto done = remove_pack(own_packs_folder(), folder);
  if (!done) return report_error(to_error(done.error()));
  fmt::print("{} is removed\n", printable_line(folder));
  print_restart();
  return ExitCode::ok;
}

// Calls `work` for all names; the first failure counts.
template <class Work>
ExitCode for_each_pack(const std::vector<std::string>& names, Work work) {
  ExitCode first = ExitCode::ok;
  for (const auto& name : names) {
    const ExitCode code = work(name);
    if (first == ExitCode::ok) first = code;
  }
  return first;
}

ExitCode install_packs(const PacksArguments& arguments) {
  if (const auto done = become_owner_of(own_packs_folder()); !done) {
    return report_error(done.error());
  }
  if (const auto fine = check_readable(arguments.from); !fine) return report_error(fine.error());
  return for_each_pack(arguments.names,
                       [&](const std::string& name) { return install_one(arguments, name); });
}

ExitCode remove_packs(const PacksArguments& arguments) {
  if (const auto done = become_owner_of(own_packs_folder()); !done) {
    return report_error(done.error());
  }
  return for_each_pack(arguments.names, remove_one);
}

}  // namespace

void add_packs_command(CLI::App& app, Command& chosen) {
  auto* packs = app.add_subcommand("packs", "List, install and remove runtime packs for GPUs");
  packs->require_subcommand(0, 1);
  packs->footer(packs_footer);
  const auto arguments = std::make_shared<PacksArguments>();
  const auto run = [arguments, &chosen](ExitCode (*work)(const PacksArguments&)) {
    chosen = [arguments, work] { return work(*arguments); };
  };
  packs->callback([packs, run] {
    if (packs->get_subcommands().empty()) run(list_packs);
  });
  packs->add_flag("--json", arguments->json, "Print one JSON object");
  const auto add = [&](const char* name, const char* help,
                       ExitCode (*work)(const PacksArguments&)) {
    auto* command = packs->add_subcommand(name, help);
    command->callback([run, work] { run(work); });
    return command;
  };

  auto* list =
      add("list", "List packs, whether they are installed, and whether they fit this machine",
          list_packs);
  list->add_flag("--json", arguments->json, "Print one JSON object");

  auto* install = add("install", "Download the libraries of packs; an interrupted download resumes",
                      install_packs);
  install->add_option("PACK", arguments->names, "cuda, or another pack of the list")->required();
  install
      ->add_option("--from", arguments->from, "Read the wheels from this folder, without network")
      ->type_name("FOLDER");
  install
      ->add_option("--index", arguments->index,
                   "Python package index; default: PIP_INDEX_URL, or pip's default")
      ->type_name("URL");
  install->add_flag("--force", arguments->force, "Download installed files again");

  auto* remove = add("remove", "Remove packs and incomplete installations", remove_packs);
  remove->add_option("PACK", arguments->names)->required();
}

}  // namespace server
