#include "server/base/file_error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/unique_fd.h"
#include "server/base/exhausted.h"

namespace server {

Error file_error(const std::string& doing, const std::filesystem::path& file, int error_number) {
  auto message = fmt::format("cannot {} {}: {}", doing, file.string(), std::strerror(error_number));
  if (error_number == ENOSPC || error_number == EDQUOT) {
    return {errc::out_of_disk, std::move(message), "Make room on the disk."};
  }
  return exhausted_or(error_number, {errc::io_error, std::move(message),
                                     "Check the folder, its permissions and the disk."});
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const platform::UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return file_error("write", folder, errno);
  return {};
}

}  // namespace server
