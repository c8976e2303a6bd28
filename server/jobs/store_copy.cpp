#include "server/jobs/store_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "server/base/file_error.h"
#include "server/jobs/job_store.h"

namespace server {
namespace {

platform::UniqueFd open_to_read(const std::filesystem::path& file) {
  return platform::UniqueFd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

}  // namespace

Result<StoreCopy> copy_store(JobStore& store, const std::filesystem::path& file,
                             const std::filesystem::path& inputs) {
  ::unlink(file.c_str());  // what a crash may have left
  // SQLite would make a file that others can read.
  platform::UniqueFd(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const auto used = store.back_up(file);
  StoreCopy copy{.database = open_to_read(file)};
  const int failure = errno;
  ::unlink(file.c_str());
  if (!used) return used.error();
  if (!copy.database) return file_error("open", file, failure);
  for (const auto& input : *used) {
    const auto here = inputs / input.filename();
    auto fd = open_to_read(here);
    // A recording that is missing was missing before: its job says so when it is begun.
    if (!fd && errno == ENOENT) continue;
    if (!fd) return file_error("open", here, errno);
    copy.inputs.push_back({input.filename(), std::move(fd)});
  }
  return copy;
}

}  // namespace server
