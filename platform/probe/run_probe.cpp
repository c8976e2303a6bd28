#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <cstdio>

#include "platform/facts/native_facts_json.h"
#include "platform/probe/probe.h"
#include "platform/probe/vendor_probes.h"

namespace platform {
namespace {

constexpr int exit_answered = 0;
constexpr int exit_usage = 2;

// Makes this process die with its parent, and leave no core file when it crashes.
void be_short_lived() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

// Returns a copy of `out` for the report. Standard output then goes to stderr, because vendors'
// libraries print to it.
UniqueFd take_over(int out) {
  std::fflush(stdout);
  UniqueFd copy(::fcntl(out, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (out == STDOUT_FILENO) ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return copy;
}

}  // namespace

int run_probe(const std::string& kind, const std::vector<std::string>& arguments, int out) {
  be_short_lived();
  Report report(take_over(out));
  if (kind == "cuda") {
    report.answer(to_json(ask_cuda(report)));
  } else if (kind == "nvml") {
    report.answer(to_json(ask_nvml(report)));
  } else if (kind == "hip") {
    report.answer(to_json(ask_hip(report, {arguments.begin(), arguments.end()})));
  } else if (kind == "metal") {
    report.answer(to_json(ask_metal(report)));
  } else if (kind == "pack" && arguments.size() == 1) {
    report.answer(to_json(ask_pack(report, arguments.front())));
  } else {
    return exit_usage;
  }
  return exit_answered;
}

}  // namespace platform
