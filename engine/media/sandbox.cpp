#include "engine/media/sandbox.h"

#include <ctime>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "platform/landlock.h"

namespace engine::media {

std::vector<Shield> enter_sandbox(const SandboxOptions& options) {
  // The time zone is read now, because the C library reads its file when it formats the dates in a
  // container.
  ::tzset();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // There is no sandbox: sanitizers map terabytes, and open files while they report.
  (void)options;
  return {{"sandbox", false, "this build is instrumented by a sanitizer"}};
#else
#if defined(__linux__)
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  // The order matters: making a Landlock ruleset takes a descriptor, and limiting takes system
  // calls.
  const std::int64_t mapped = mapped_data();
  return {platform::enter_landlock(), enter_limits(options, mapped), enter_seccomp(options)};
#endif
}

}  // namespace engine::media
