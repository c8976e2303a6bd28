#include "server/jobs/store_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "server/base/file_error.h"

namespace server {
namespace {

platform::UniqueFd open_to_read(const std::filesystem::path& file) {
  return platform::UniqueFd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

Result<std::vector<StoreCopy::Input>> open_inputs(const std::vector<std::filesystem::path>& used,
                                                  const std::filesystem::path& inputs) {
  std::vector<StoreCopy::Input> opened;
  for (const auto& input : used) {
    const auto here = inputs / input.filename();
    auto fd = open_to_read(here);
    // A recording that is missing was missing before: its job says so when it is begun.
    if (!fd && errno == ENOENT) continue;
    if (!fd) return file_error("open", here, errno);
    opened.push_back({input.filename(), std::move(fd)});
  }
  return opened;
}

// Copies the database, and opens the recordings that its jobs need.
Result<std::vector<StoreCopy::Input>> copy_database(const OnStore& on_store,
                                                    const std::filesystem::path& file,
                                                    const std::filesystem::path& inputs,
                                                    const std::stop_token& stop) {
  Result<std::unique_ptr<StoreBackup>> backup;
  on_store([&](JobStore& store) { backup = store.back_up(file); });
  if (!backup) return backup.error();
  Result<std::vector<StoreCopy::Input>> opened;
  bool is_whole = false;
  while (opened && !is_whole) {
    if (stop.stop_requested()) opened = work_stopped();
    if (!opened) break;
    on_store([&](JobStore&) {
      const auto used = (*backup)->step();
      is_whole = used && *used;
      if (!used) opened = used.error();
      if (is_whole) opened = open_inputs(**used, inputs);
    });
  }
  on_store([&](JobStore&) { backup->reset(); });
  return opened;
}

}  // namespace

Result<StoreCopy> copy_store(const OnStore& on_store, const std::filesystem::path& file,
                             const std::filesystem::path& inputs, std::stop_token stop) {
  ::unlink(file.c_str());  // what a crash may have left
  // SQLite would make a file that others can read.
  platform::UniqueFd(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  auto opened = copy_database(on_store, file, inputs, stop);
  StoreCopy copy{.database = open_to_read(file)};
  const int failure = errno;
  ::unlink(file.c_str());
  if (!opened) return opened.error();
  if (!copy.database) return file_error("open", file, failure);
  copy.inputs = *std::move(opened);
  return copy;
}

}  // namespace server
