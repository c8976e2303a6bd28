#include "engine/media/sandbox.h"

#include <ctime>
#include <nlohmann/json.hpp>

#if defined(__linux__)
#include <sys/prctl.h>

#include "protocol/json_text.h"
#endif

namespace engine::media {

std::vector<Shield> enter_sandbox(const SandboxOptions& options) {
  // Dates in a container are formatted through the C library, which reads the time zone file once.
  ::tzset();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // Sanitizers map terabytes and open files while they report.
  (void)options;
  return {{"sandbox", false, "this build is instrumented by a sanitizer"}};
#else
#if defined(__linux__)
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  // In this order: making a Landlock ruleset takes a descriptor, and limiting takes system calls.
  return {enter_landlock(), enter_limits(options), enter_seccomp(options)};
#endif
}

std::string to_json(const std::vector<Shield>& shields) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& shield : shields) {
    json[shield.name] = {{"active", shield.active}, {"detail", shield.detail}};
  }
  return protocol::json::dump(json);
}

}  // namespace engine::media
