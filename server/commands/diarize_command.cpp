#include "server/commands/diarize_command.h"

#include <memory>

#include "server/commands/input_options.h"
#include "server/commands/transcribe_options.h"
#include "server/commands/transcribe_run.h"

namespace server {
namespace {

constexpr char diarize_footer[] = R"(Examples:
  scribed diarize meeting.mp3
  scribed diarize --format rttm --speaker Anna=anna.wav call.wav

Needs the model speakers: scribed models pull speakers)";

}  // namespace

void add_diarize_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("diarize", "Print the speaker turns of audio or video files");
  const auto arguments = std::make_shared<TranscribeArguments>();
  add_diarize_options(*command, *arguments);
  command->footer(diarize_footer);
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      if (auto ok = finish_formats(*arguments); !ok) return report_error(ok.error());
      if (auto ok = finish_input_options(*arguments); !ok) return report_error(ok.error());
      return run_transcribe(*arguments);
    };
  });
}

}  // namespace server
