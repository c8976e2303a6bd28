#include "server/commands/transcribe_command.h"

#include <memory>

#include "server/commands/form_fields.h"
#include "server/commands/remote_transcribe.h"
#include "server/commands/transcribe_options.h"
#include "server/commands/transcribe_run.h"

namespace server {
namespace {

constexpr char transcribe_footer[] = R"(Examples:
  scribed transcribe interview.mp3
  scribed transcribe --format srt --output subtitles/ *.mkv
  ffmpeg -i URL -f wav - | scribed transcribe -

If an input fails, the others are still transcribed; the exit code is that of the
first failure. See scribed --help for the codes.)";

ExitCode run_here_or_there(const TranscribeArguments& arguments, const CLI::App& command) {
  if (arguments.connection.server.empty()) return run_transcribe(arguments);
  const auto fields = form_fields(command);
  return fields ? run_remote_transcribe(arguments, *fields) : report_error(fields.error());
}

}  // namespace

void add_transcribe_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("transcribe", "Transcribe audio or video files");
  const auto arguments = std::make_shared<TranscribeArguments>();
  add_transcribe_options(*command, *arguments);
  command->footer(transcribe_footer);
  command->callback([arguments, command, &chosen] {
    chosen = [arguments, command] {
      if (auto ok = finish_options(*arguments); !ok) return report_error(ok.error());
      if (!arguments->quiet) {
        for (const auto& warning : useless_options(*arguments)) report_warning(warning);
      }
      return run_here_or_there(*arguments, *command);
    };
  });
}

}  // namespace server
