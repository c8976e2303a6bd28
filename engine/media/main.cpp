#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>

#include "engine/media/decode.h"
#include "engine/media/descriptor_input.h"
#include "engine/media/fork_server.h"
#include "engine/media/more_memory.h"
#include "engine/media/options.h"
#include "engine/media/report.h"
#include "engine/media/sandbox.h"
#include "platform/oom_score.h"
#include "platform/shield.h"

namespace media = engine::media;

namespace {

// Reports the error to the report where there is one, else to the person at the terminal.
int fail(const media::Options& options, const media::Error& error) {
  if (options.report_fd >= 0) {
    media::Report(options.report_fd)
        .send(protocol::decoder::Failed{{media::name(error.code), error.message, error.fix}});
  } else {
    std::fprintf(stderr, "scribed-decode: %s %s\n", error.message.c_str(), error.fix.c_str());
  }
  return static_cast<int>(error.code);
}

int check_sandbox() {
  const auto shields = media::enter_sandbox({});
  std::printf("%s\n", platform::to_json(shields).c_str());
  return 0;
}

int run(const media::Options& options) {
  media::Report report(options.report_fd);
  // The input is made first because it inspects the descriptor, which the sandbox forbids.
  media::DescriptorInput input(STDIN_FILENO, options.max_bytes);
  const bool asks = options.memory_on_request && options.report_fd >= 0 &&
                    media::ask_for_memory(options.report_fd);
  const auto shields = media::enter_sandbox(
      {options.report_fd, options.max_seconds, options.sound_fd, options.sound_bytes, asks});
  const auto missing = platform::missing(shields);
  if (options.require_sandbox && !missing.empty()) {
    return fail(options, {media::Errc::sandbox_missing,
                          "The decoder has to run without " + missing.front() + ".",
                          "Allow Landlock and seccomp on this machine or in its container, or set "
                          "server.require_sandbox to false."});
  }
  for (const auto& shield : missing) {
    report.warn("sandbox_partial", "The decoder runs without " + shield + ".");
  }
  const auto finished = media::decode(input, STDOUT_FILENO, options, report);
  if (!finished) return fail(options, finished.error());
  report.send(*finished);
  return 0;
}

int decode(std::span<const char* const> arguments) {
  const auto options = media::parse_options(arguments);
  if (!options) return fail({}, options.error());
  try {
    if (options->help) {
      std::fputs(media::usage(), stdout);
      return 0;
    }
    if (options->fork_server) return media::serve_forks(STDIN_FILENO, decode);
    return options->check_sandbox ? check_sandbox() : run(*options);
  } catch (const std::bad_alloc&) {
    return fail(*options,
                {media::Errc::out_of_memory, "The input needs more memory than it may use.",
                 "Convert it to wav or flac and try again."});
  } catch (const std::exception& error) {
    return fail(*options, {media::Errc::internal, error.what(), ""});
  }
}

}  // namespace

int main(int argc, char** argv) {
  platform::raise_oom_score(platform::oom_score_of_decoders);
  // With these ignored, a reader who went away shows as EPIPE, and a full file as EFBIG.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return decode({argv + 1, argv + argc});
}
