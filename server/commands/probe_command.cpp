#include "server/commands/probe_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "platform/probe/probe.h"

namespace server {

void add_probe_command(CLI::App& app, Command& chosen) {
  struct ProbeArguments {
    std::string kind;
    std::vector<std::string> rest;
  };
  auto* command = app.add_subcommand(
      "probe", "Query one vendor's library and print JSON; used by doctor and transcribe");
  const auto arguments = std::make_shared<ProbeArguments>();
  command->add_option("KIND", arguments->kind, "cuda, nvml, hip, metal, or pack FOLDER")
      ->check(CLI::IsMember({"cuda", "nvml", "hip", "metal", "pack"}))
      ->required();
  command->add_option("FOLDER", arguments->rest, "Runtime pack whose libraries are loaded");
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      const int code = platform::run_probe(arguments->kind, arguments->rest, STDOUT_FILENO);
      return static_cast<ExitCode>(code);
    };
  });
}

}  // namespace server
