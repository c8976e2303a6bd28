#include "server/commands/version_command.h"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "platform/cpu.h"
#include "platform/runtime_pack.h"
#include "protocol/json_text.h"
#include "server/base/version.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/device/device_json.h"

namespace server {
namespace {

ExitCode print_version(bool as_json) {
  const auto packs =
      platform::find_runtime_packs(platform::program_folder(), packs_folders(process_environment));
  if (as_json) {
    nlohmann::ordered_json out{{"version", program_version()},
                               {"cpu_isa", platform::probe_cpu().isa()}};
    out["packs"] = nlohmann::ordered_json::array();
    for (const auto& pack : packs) {
      out["packs"].push_back({{"name", pack.name},
                              {"worker", pack.worker.string()},
                              {"lacks_libraries", pack.lacks_libraries()},
                              {"build_info", json_of(pack.build)}});
    }
    fmt::print("{}\n", protocol::json::dump(out, 2));
    return ExitCode::ok;
  }
  fmt::print("scribed {}\n", program_version());
  for (const auto& pack : packs) {
    fmt::print("worker {} ({}, torch {}+{}{})\n", pack.worker.string(), pack.name, pack.build.torch,
               pack.build.variant, pack.lacks_libraries() ? ", libraries not installed" : "");
  }
  return ExitCode::ok;
}

}  // namespace

void add_version_command(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("version", "Print the version and the installed runtime packs");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print one JSON object");
  command->callback([as_json, &chosen] { chosen = [as_json] { return print_version(*as_json); }; });
}

}  // namespace server
