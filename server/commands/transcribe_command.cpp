#include "server/commands/transcribe_command.h"

#include <memory>

#include "server/commands/transcribe_options.h"
#include "server/commands/transcribe_run.h"

namespace server {

void add_transcribe_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("transcribe", "Print what is said in audio or video files");
  const auto arguments = std::make_shared<TranscribeArguments>();
  add_transcribe_options(*command, *arguments);
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      if (auto ok = finish_options(*arguments); !ok) return report_error(ok.error());
      if (!arguments->quiet) {
        for (const auto& warning : useless_options(*arguments)) report_warning(warning);
      }
      return run_transcribe(*arguments);
    };
  });
}

}  // namespace server
