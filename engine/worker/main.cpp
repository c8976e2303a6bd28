#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/worker/sandbox.h"
#include "engine/worker/session.h"
#include "platform/cpu.h"
#include "platform/oom_score.h"
#include "platform/runtime_pack.h"

namespace {

std::string read_build_info() {
  std::ifstream file(platform::program_folder() / "build-info.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int check_sandbox() {
  std::cout << platform::to_json(engine::enter_sandbox({})) << '\n' << std::flush;
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  platform::raise_oom_score(platform::oom_score_of_workers);  // above the daemon's
  engine::drop_privileges();
  CLI::App app{"scribed-worker: one Whisper model on one device. Started by scribed."};
  int socket = -1;
  bool only_check_sandbox = false;
  auto* const way = app.add_option_group("way")->require_option(1);
  way->add_option("--socket-fd", socket, "Descriptor of the daemon's socket");
  way->add_flag("--check-sandbox", only_check_sandbox,
                "Print which parts of the sandbox this machine has, as JSON");
  CLI11_PARSE(app, argc, argv);
  if (only_check_sandbox) return check_sandbox();
  if (const auto fine = platform::check_cpu_level(); !fine) {
    std::cerr << "scribed-worker: " << fine.error().message << '\n';
    return EXIT_FAILURE;
  }

  // Ctrl-C is for the daemon, which ends its workers in order.
  std::signal(SIGINT, SIG_IGN);
  // These come back as errors of the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  try {
    engine::Session session(platform::UniqueFd(socket), read_build_info());
    session.run();
    // The process ends without destructors: a job in mid-step would hold it for as long as the step
    // takes.
    std::_Exit(EXIT_SUCCESS);
  } catch (const std::exception& error) {
    std::cerr << "scribed-worker: " << error.what() << '\n';
    std::_Exit(EXIT_FAILURE);
  }
}
