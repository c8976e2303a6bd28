#include "server/commands/diarize_command.h"

#include <memory>

#include "server/commands/input_options.h"
#include "server/commands/transcribe_options.h"
#include "server/commands/transcribe_run.h"

namespace server {

void add_diarize_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("diarize", "Print who speaks when in audio or video files");
  const auto arguments = std::make_shared<TranscribeArguments>();
  add_diarize_options(*command, *arguments);
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      if (auto ok = finish_input_options(*arguments); !ok) return report_error(ok.error());
      return run_transcribe(*arguments);
    };
  });
}

}  // namespace server
