#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "engine/media/sandbox.h"

namespace engine::media {
namespace {

constexpr rlim_t mib = 1024 * 1024;
// FFmpeg's libraries alone map some 200 MiB, most of it never touched.
constexpr rlim_t address_space = 1024 * mib;
// The memory that decoding itself may hold. The index of a ten hour video is the largest honest
// use.
constexpr rlim_t private_data = 256 * mib;
// A decoder that can ask for more memory begins with this much: ordinary files take 5 to 10 MiB.
constexpr rlim_t first_data = 32 * mib;

using Resource = decltype(RLIMIT_CPU);  // glibc has an enumeration of its own

// Sets a limit. `grace` is the distance of the hard limit from the soft one.
bool limit(Resource resource, rlim_t value, rlim_t grace = 0) {
  struct rlimit current {};
  if (::getrlimit(resource, &current) != 0) return false;
  const rlim_t hard = std::min(value + grace, current.rlim_max);
  const struct rlimit wanted = {std::min(value, hard), hard};
  return ::setrlimit(resource, &wanted) == 0;
}

bool is_regular_file(int fd) {
  struct stat facts {};
  return fd >= 0 && ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

bool limit_data(bool may_get_more, std::int64_t mapped) {
  if (!may_get_more) return limit(RLIMIT_DATA, private_data);
  const rlim_t first = std::min(static_cast<rlim_t>(mapped) + first_data, private_data);
  return limit(RLIMIT_DATA, first, /*grace=*/private_data - first);
}

// Returns the processor time. A long video is opened within a second, and decoding runs hundreds of
// times faster than sound; a hundred times slower than that is an attack.
rlim_t processor_seconds(double max_seconds) {
  return max_seconds > 0 ? 10 + static_cast<rlim_t>(max_seconds / 5) : 2 * 3600;
}

}  // namespace

std::int64_t mapped_data() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0, resident = 0, shared = 0, text = 0, lib = 0, data = 0;  // pages
  constexpr auto usual = static_cast<std::int64_t>(32 * mib);
  if (!(statm >> size >> resident >> shared >> text >> lib >> data)) return usual;
  return data * ::sysconf(_SC_PAGESIZE);
}

Shield enter_limits(const SandboxOptions& options, std::int64_t mapped) {
  bool active = limit(RLIMIT_AS, address_space) && limit_data(options.may_get_memory, mapped) &&
                limit(RLIMIT_CORE, 0) &&
                limit(RLIMIT_CPU, processor_seconds(options.max_seconds), /*grace=*/5) &&
                limit(RLIMIT_NOFILE, 0);
  // A user who sends the PCM or the report into a file keeps the right to write it.
  const bool writes_file = is_regular_file(STDOUT_FILENO) || is_regular_file(STDERR_FILENO) ||
                           is_regular_file(options.report_fd);
  const auto copy_bytes = static_cast<rlim_t>(options.sound_fd >= 0 ? options.sound_bytes : 0);
  if (!writes_file) active = limit(RLIMIT_FSIZE, copy_bytes) && active;
  return {"limits", active, active ? "memory, processor time, descriptors" : "setrlimit failed"};
}

}  // namespace engine::media
