#include "server/inputs/allowed_paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <ranges>
#include <utility>

#include "server/base/exhausted.h"
#include "server/inputs/beneath.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Returns the rest of `path` below `folder`, by components: /home/ada2 is not below /home/ada.
std::optional<fs::path> below(const fs::path& folder, const fs::path& path) {
  const auto [rest, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  if (rest != folder.end()) return std::nullopt;
  fs::path inside;
  for (auto part = at; part != path.end(); ++part) inside /= *part;
  return inside.empty() ? fs::path(".") : inside;
}

// Whoever reads these sentences has just named the path. They hold no name of a file, because a
// model would read it as if scribed said it.
Error cannot_open(int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  if (error_number == EXDEV || error_number == ELOOP) {
    return {errc::input_unreadable, "The path leads out of the folders that may be read.",
            "Name the file itself rather than a link to it."};
  }
  return exhausted_or(error_number,
                      {missing ? errc::input_not_found : errc::input_unreadable,
                       fmt::format("The path cannot be opened: {}.", std::strerror(error_number)),
                       missing ? "Check the path; it must be one of this machine." : ""});
}

}  // namespace

AllowedPaths::AllowedPaths(std::vector<fs::path> folders) {
  for (const auto& folder : folders) {
    std::error_code failure;
    auto real = fs::weakly_canonical(fs::absolute(folder), failure);
    if (failure || std::ranges::find(roots_, real, &Root::path) != roots_.end()) continue;
    roots_.push_back({.path = std::move(real)});
    hold(roots_.back());
  }
}

// Returns the root's descriptor; negative if there is none.
int AllowedPaths::hold(Root& root) {
  platform::UniqueFd now(open_held_folder(root.path));
  if (now && (!root.fd || is_another_mount(now.get(), root.fd.get()))) root.fd = std::move(now);
  return root.fd.get();
}

std::vector<std::string> AllowedPaths::folders() const {
  std::vector<std::string> names;
  for (const auto& root : roots_) names.push_back(root.path);
  return names;
}

std::string AllowedPaths::absolute(const std::string& path) const {
  const fs::path given(path);
  const bool is_whole = given.is_absolute() || roots_.empty();
  return (is_whole ? given : roots_.front().path / given).lexically_normal();
}

Result<platform::UniqueFd> AllowedPaths::open_beneath(const std::string& path,
                                                      std::uint64_t flags) const {
  if (path.find('\0') != std::string::npos) {
    return Error{errc::input_unreadable, "The path holds a zero byte.", ""};
  }
  const fs::path whole(absolute(path));
  const auto native_path = [](const Root& root) { return root.path.native(); };
  for (auto& root : roots_) {
    const auto inside = below(root.path, whole);
    if (!inside) continue;
    // The kernel itself keeps the lookup below the folder, also while links are being changed.
    platform::UniqueFd fd(hold(root) < 0 ? -1
                                         : server::open_beneath(root.fd.get(), *inside, flags));
    if (!fd) return cannot_open(errno);
    return fd;
  }
  return Error{errc::input_unreadable,
               fmt::format("The path is outside the folders that may be used: {}.",
                           fmt::join(roots_ | std::views::transform(native_path), ", ")),
               "Move the file there, or start the server with --allow-path FOLDER."};
}

Result<Input> AllowedPaths::open(const std::string& path) const {
  // O_NONBLOCK, because opening a FIFO would wait for a writer.
  auto fd = open_beneath(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd) return fd.error();
  Input input{*std::move(fd)};
  struct ::stat info {};
  if (::fstat(input.fd.get(), &info) != 0) return cannot_open(errno);
  if (!S_ISREG(info.st_mode)) {
    return Error{errc::input_unreadable, "The path is not a file.",
                 S_ISDIR(info.st_mode) ? "Name one of the files in this folder." : ""};
  }
  return input;
}

Result<platform::UniqueFd> AllowedPaths::open_folder(const std::string& path) const {
  return open_beneath(path, O_RDONLY | O_DIRECTORY);
}

}  // namespace server
