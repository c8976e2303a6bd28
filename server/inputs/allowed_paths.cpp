#include "server/inputs/allowed_paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <ranges>
#include <utility>

namespace server {
namespace {

namespace fs = std::filesystem;

// What is left of `path` below `folder`, by components: /home/ada2 is not below /home/ada.
std::optional<fs::path> below(const fs::path& folder, const fs::path& path) {
  const auto [rest, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  if (rest != folder.end()) return std::nullopt;
  fs::path inside;
  for (auto part = at; part != path.end(); ++part) inside /= *part;
  return inside.empty() ? fs::path(".") : inside;
}

// The kernel itself keeps the lookup below the folder, also while links are being changed.
int open_inside(const fs::path& folder, const fs::path& inside, std::uint64_t flags) {
  const platform::UniqueFd root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return -1;
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, root.get(), inside.c_str(), &how, sizeof how));
}

Error cannot_open(const std::string& path, int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  if (error_number == EXDEV || error_number == ELOOP) {
    return {errc::input_unreadable, path + " leads out of the folders that may be read",
            "Name the file itself rather than a link to it."};
  }
  return {missing ? errc::input_not_found : errc::input_unreadable,
          fmt::format("{}: {}", path, std::strerror(error_number)),
          missing ? "Check the path; it must be one of this machine." : ""};
}

}  // namespace

AllowedPaths::AllowedPaths(std::vector<fs::path> folders) {
  for (const auto& folder : folders) {
    std::error_code missing;
    auto real = fs::canonical(folder, missing);
    if (!missing && std::ranges::find(folders_, real) == folders_.end()) {
      folders_.push_back(std::move(real));
    }
  }
}

std::string AllowedPaths::absolute(const std::string& path) const {
  const fs::path given(path);
  const bool is_whole = given.is_absolute() || folders_.empty();
  return (is_whole ? given : folders_.front() / given).lexically_normal();
}

Result<platform::UniqueFd> AllowedPaths::open_beneath(const std::string& path,
                                                      std::uint64_t flags) const {
  if (path.find('\0') != std::string::npos) {
    return Error{errc::input_unreadable, "the path holds a zero byte", ""};
  }
  const fs::path whole(absolute(path));
  for (const auto& folder : folders_) {
    const auto inside = below(folder, whole);
    if (!inside) continue;
    platform::UniqueFd fd(open_inside(folder, *inside, flags));
    if (!fd) return cannot_open(path, errno);
    return fd;
  }
  return Error{errc::input_unreadable,
               fmt::format("{} is outside the folders that may be used: {}", path,
                           fmt::join(folders_ | std::views::transform(&fs::path::native), ", ")),
               "Move the file there, or start the server with --allow-path FOLDER."};
}

Result<Input> AllowedPaths::open(const std::string& path) const {
  // A FIFO would wait for a writer.
  auto fd = open_beneath(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd) return fd.error();
  Input input{*std::move(fd)};
  struct ::stat info {};
  if (::fstat(input.fd.get(), &info) != 0) return cannot_open(path, errno);
  if (!S_ISREG(info.st_mode)) {
    return Error{errc::input_unreadable, path + " is not a file",
                 S_ISDIR(info.st_mode) ? "Name one of the files in this folder." : ""};
  }
  return input;
}

Result<platform::UniqueFd> AllowedPaths::open_folder(const std::string& path) const {
  return open_beneath(path, O_RDONLY | O_DIRECTORY);
}

}  // namespace server
