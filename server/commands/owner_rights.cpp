#include "server/commands/owner_rights.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/file_error.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr char no_permission[] = "no_permission";
constexpr uid_t root_user = 0;
constexpr int most_links = 40;

std::string name_of(uid_t user) {
  const passwd* entry = ::getpwuid(user);
  return entry == nullptr ? std::to_string(user) : entry->pw_name;
}

// Returns whether this root could act as the user. In a container of a user namespace a file of the
// machine outside belongs to nobody who is known inside, and this root is no more than its maker.
bool is_known_here(uid_t user) {
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t first = 0, outside = 0, count = 0;
  bool has_lines = false;
  while (map >> first >> outside >> count) {
    if (user >= first && user - first < count) return true;
    has_lines = true;
  }
  return !has_lines;
}

bool is_of_another(const struct ::stat& status) {
  return status.st_uid != root_user && is_known_here(status.st_uid);
}

Error everybodys(const fs::path& folder) {
  return {no_permission, fmt::format("everybody can write into {}", folder.string()),
          "Name a folder in which others can put nothing, or run this as the user whose it is."};
}

// Walks a path from the root of the file system on, link by link, as the kernel would. Every folder
// that was walked is root's and nobody else can rename in it, so what was seen there stays true.
class PathWalk {
 public:
  explicit PathWalk(const fs::path& path) { put_first(path); }

  // Returns the first user who could replace a component; nothing: root alone can.
  Result<std::optional<uid_t>> run() {
    bool may_make = is_everybodys("/");
    while (!rest_.empty()) {
      const fs::path name = rest_.front();
      rest_.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        here_ = here_.parent_path();
        continue;
      }
      const fs::path next = here_ / name;
      struct ::stat status {};
      if (::lstat(next.c_str(), &status) != 0) {
        if (errno != ENOENT) return file_error("look at", next, errno);
        break;  // root makes it
      }
      if (!S_ISLNK(status.st_mode) && !S_ISDIR(status.st_mode)) break;
      if (is_of_another(status)) return std::optional(status.st_uid);
      if (S_ISLNK(status.st_mode)) {
        std::error_code failure;
        const fs::path target = fs::read_symlink(next, failure);
        if (failure || ++links_ > most_links) return file_error("follow", next, ELOOP);
        put_first(target);
        continue;
      }
      may_make = (status.st_mode & S_IWOTH) != 0;
      // In a sticky folder others cannot rename what is root's.
      if (may_make && (status.st_mode & S_ISVTX) == 0) return everybodys(next);
      here_ = next;
    }
    if (may_make) return everybodys(here_);
    return std::optional<uid_t>();
  }

 private:
  static bool is_everybodys(const char* folder) {
    struct ::stat status {};
    return ::stat(folder, &status) == 0 && (status.st_mode & S_IWOTH) != 0;
  }

  void put_first(const fs::path& path) {
    if (path.is_absolute()) here_ = "/";
    const fs::path relative = path.relative_path();
    rest_.insert(rest_.begin(), relative.begin(), relative.end());
  }

  fs::path here_ = "/";  // has no links
  std::deque<fs::path> rest_{};
  int links_ = 0;
};

// Returns the user to become; nothing: this process works in the folder as it is.
Result<std::optional<uid_t>> wanted_user(const fs::path& folder) {
  if (::geteuid() != root_user) return std::optional<uid_t>();
  std::error_code failure;
  const fs::path whole = fs::absolute(folder, failure);
  const auto user = PathWalk(whole).run();
  if (!user || !*user) return user;
  const fs::path place = fs::is_directory(whole, failure) ? whole : whole.parent_path();
  struct ::stat status {};
  if (::stat(place.c_str(), &status) == 0 && status.st_uid != **user) {
    return Error{no_permission,
                 fmt::format("{} belongs to {}, and {} could put another folder in its place",
                             place.string(), name_of(status.st_uid), name_of(**user)),
                 fmt::format("Give it to that user, chown -R {} {}, or name another folder.",
                             name_of(**user), place.string())};
  }
  return user;
}

Result<void> become(uid_t user, const fs::path& folder) {
  const passwd* entry = ::getpwuid(user);
  // A user without an entry gets no group that means anything: that of the folder may be root's.
  const gid_t group = entry == nullptr ? static_cast<gid_t>(user) : entry->pw_gid;
  const int grouped =
      entry == nullptr ? ::setgroups(1, &group) : ::initgroups(entry->pw_name, group);
  if (grouped != 0 || ::setgid(group) != 0 || ::setuid(user) != 0) {
    const int problem = errno;
    return Error{no_permission,
                 fmt::format("{} belongs to {}, whose rights this process cannot take: {}",
                             folder.string(), name_of(user), std::strerror(problem)),
                 fmt::format("Run this as {}.", name_of(user))};
  }
  if (::setuid(root_user) == 0) throw std::runtime_error("[owner_rights] root could come back");
  return {};
}

// Errors of a child come by a pipe, as three texts with a NUL behind each.
void send_error(int to, const Error& error) {
  std::string text;
  for (const auto& part : {error.code, error.message, error.fix}) text += part + '\0';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t wrote = ::write(to, rest.data(), rest.size());
    if (wrote <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

Error received_error(const std::string& text) {
  std::array<std::string, 3> parts;
  std::size_t at = 0;
  for (auto& part : parts) {
    const auto end = std::min(text.find('\0', at), text.size());
    part = text.substr(std::min(at, text.size()), end - std::min(at, text.size()));
    at = end + 1;
  }
  return {parts[0], parts[1], parts[2]};
}

[[noreturn]] void run_child(uid_t user, const fs::path& folder, int to,
                            const std::function<Result<void>()>& work) {
  Result<void> done;
  try {
    done = become(user, folder);
    if (done) done = work();
  } catch (const std::exception& failure) {
    done = Error{errc::internal, failure.what(), ""};
  }
  if (!done) send_error(to, done.error());
  std::fflush(nullptr);
  ::_exit(done ? 0 : 1);
}

}  // namespace

Result<void> become_owner_of(const fs::path& folder) {
  const auto user = wanted_user(folder);
  if (!user) return user.error();
  return *user ? become(**user, folder) : Result<void>();
}

Result<void> call_as_owner_of(const fs::path& folder, const std::function<Result<void>()>& work) {
  const auto user = wanted_user(folder);
  if (!user) return user.error();
  if (!*user) return work();
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return Error{errc::internal, std::strerror(errno), ""};
  const platform::UniqueFd from(ends[0]);
  platform::UniqueFd to(ends[1]);
  std::fflush(nullptr);  // what is buffered would be written twice
  const pid_t child = ::fork();
  if (child < 0) return Error{errc::internal, std::strerror(errno), ""};
  if (child == 0) run_child(**user, folder, to.get(), work);
  to.reset();
  std::string text;
  std::array<char, 4096> piece{};
  while (true) {
    const ssize_t got = ::read(from.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (!text.empty()) return received_error(text);
  return Error{errc::internal, "the child that worked as " + name_of(**user) + " has died", ""};
}

Result<void> check_readable(const fs::path& named) {
  if (named.empty() || ::access(named.c_str(), R_OK) == 0 || errno != EACCES) return {};
  return Error{errc::input_unreadable,
               fmt::format("{} cannot be read by {}, the user of this command", named.string(),
                           name_of(::geteuid())),
               "Put it where that user can read it. Root works in a folder of another user as that "
               "user."};
}

Result<void> check_owner_of(const fs::path& folder) {
  struct ::stat status {};
  if (::geteuid() != root_user || ::stat(folder.c_str(), &status) != 0 || !is_of_another(status)) {
    return {};
  }
  return Error{no_permission,
               fmt::format("{} belongs to {}, and root does not work in it", folder.string(),
                           name_of(status.st_uid)),
               fmt::format("Run this as that user, sudo -u {0} scribed …, or name another folder "
                           "with --state-folder.",
                           name_of(status.st_uid))};
}

}  // namespace server
