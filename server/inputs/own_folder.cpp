#include "server/inputs/own_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>

#include "server/base/file_error.h"
#include "server/base/random_id.h"

namespace server {
namespace {

Error not_ours(const std::filesystem::path& folder, const char* why) {
  return {errc::io_error, folder.string() + " " + why,
          "Move it away, or name another folder with jobs.state_folder."};
}

}  // namespace

Result<platform::UniqueFd> open_own_folder(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return file_error("make", folder, errno);
  }
  platform::UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && (errno == ELOOP || errno == ENOTDIR)) {
    return not_ours(folder, "is a link or a file, and should be a folder of scribed's own");
  }
  struct ::stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return file_error("open", folder, errno);
  if (info.st_uid != ::geteuid()) return not_ours(folder, "belongs to another user");
  if (::fchmod(fd.get(), 0700) != 0 || ::faccessat(fd.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) {
    return file_error("write into", folder, errno);
  }
  return fd;
}

std::vector<std::string> names_in(const platform::UniqueFd& folder) {
  // The stream needs a descriptor of its own, because it owns it and moves its read position.
  const int own = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream(own < 0 ? nullptr : ::fdopendir(own), close);
  std::vector<std::string> names;
  if (!stream) return names;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

bool is_own_name(const std::string& name) {
  std::string_view text(name);
  for (const std::string_view extension : {".json", ".part", ".peaks"}) {
    if (text.ends_with(extension)) return is_id(text.substr(0, text.size() - extension.size()));
  }
  return is_id(text);
}

}  // namespace server
