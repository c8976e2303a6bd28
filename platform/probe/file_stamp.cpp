#include "platform/probe/file_stamp.h"

#include <sys/stat.h>

namespace platform {

FileStamp stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
#if defined(__APPLE__)
  const auto& time = status.st_mtimespec;
#else
  const auto& time = status.st_mtim;
#endif
  return {status.st_size, std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec};
}

}  // namespace platform
