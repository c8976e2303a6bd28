#include "platform/facts/file_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <tuple>

#include "platform/facts/text.h"
#include "platform/unique_fd.h"

namespace platform {
namespace {

constexpr int max_links = 40;  // the kernel's limit
constexpr std::size_t max_line_bytes = 4096;

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

// Opens without waiting, because a pipe in a copied tree must not block us.
UniqueFd open_file(const std::string& path, int flags) {
  return UniqueFd(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

std::optional<std::string> read_link(const std::string& path) {
  std::array<char, PATH_MAX> target;
  const auto length = ::readlink(path.c_str(), target.data(), target.size());
  if (length <= 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

// Returns the bytes read; 0 at the end or on an error.
std::size_t read_some(int fd, char* buffer, std::size_t size) {
  while (true) {
    const auto count = ::read(fd, buffer, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return 0;
  }
}

bool natural_order(const std::string& a, const std::string& b) {
  const auto tail = [](const std::string& name) {
    const auto digits = name.find_last_not_of("0123456789") + 1;
    return std::pair(name.substr(0, digits), name.substr(digits));
  };
  const auto [stem_a, number_a] = tail(a);
  const auto [stem_b, number_b] = tail(b);
  return std::tuple(stem_a, number_a.size(), number_a) <
         std::tuple(stem_b, number_b.size(), number_b);
}

}  // namespace

FileReader::FileReader(const std::filesystem::path& root) : root_(root.string()) {
  while (root_.ends_with('/')) root_.pop_back();
}

std::string FileReader::resolve(const std::string& path) const {
  std::string done;         // resolved so far: "" or "/a/b"
  std::string rest = path;  // still to be resolved
  int links = 0;
  while (true) {
    const auto start = rest.find_first_not_of('/');
    if (start == std::string::npos) break;
    const auto end = std::min(rest.find('/', start), rest.size());
    const std::string step = rest.substr(start, end - start);
    rest.erase(0, end);
    if (step == ".") continue;
    if (step == "..") {
      done.resize(done.empty() ? 0 : done.rfind('/'));
      continue;
    }
    const std::string next = done + "/" + step;
    struct stat status {};
    if (::lstat(real(next).c_str(), &status) != 0) return {};
    if (!S_ISLNK(status.st_mode)) {
      done = next;
      continue;
    }
    const auto target = read_link(real(next));
    if (!target || ++links > max_links) return {};
    if (target->starts_with('/')) done.clear();
    rest = *target + rest;
  }
  return done.empty() ? "/" : done;
}

std::optional<std::string> FileReader::text(const std::string& path, std::size_t limit) const {
  const auto resolved = resolve(path);
  if (resolved.empty()) return std::nullopt;
  const auto file = open_file(real(resolved), O_RDONLY);
  if (!file) return std::nullopt;
  std::string text;
  while (text.size() < limit) {
    const auto had = text.size();
    text.resize(std::min(limit, had + 65536));
    const auto got = read_some(file.get(), text.data() + had, text.size() - had);
    text.resize(had + got);
    if (got == 0) break;
  }
  return text;
}

std::string FileReader::word(const std::string& path) const {
  return std::string(trim(text(path, 4096).value_or("")));
}

std::optional<std::int64_t> FileReader::number(const std::string& path) const {
  return parse_int(word(path));
}

void FileReader::lines(const std::string& path,
                       const std::function<bool(std::string_view)>& take) const {
  const auto resolved = resolve(path);
  if (resolved.empty()) return;
  const auto file = open_file(real(resolved), O_RDONLY);
  if (!file) return;
  std::string line;
  std::array<char, 65536> block;
  while (const auto got = read_some(file.get(), block.data(), block.size())) {
    std::string_view rest(block.data(), got);
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      line += rest.substr(0, std::min(end, max_line_bytes - line.size()));
      if (end == std::string_view::npos) break;
      if (!take(line)) return;
      line.clear();
      rest.remove_prefix(end + 1);
    }
  }
  if (!line.empty()) take(line);
}

std::vector<std::string> FileReader::names(const std::string& folder) const {
  std::vector<std::string> names;
  const auto resolved = resolve(folder);
  if (resolved.empty()) return names;
  const std::unique_ptr<DIR, CloseFolder> entries(::opendir(real(resolved).c_str()));
  if (!entries) return names;
  while (const auto* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end(), natural_order);
  return names;
}

DeviceNode FileReader::open_node(const std::string& path) const {
  auto node = permitted_node(path);
  if (!node.exists || node.open_error != 0) return node;
  if (!open_file(real(resolve(path)), O_RDWR)) node.open_error = errno;
  return node;
}

DeviceNode FileReader::permitted_node(const std::string& path) const {
  DeviceNode node{.path = path};
  const auto resolved = resolve(path);
  node.exists = !resolved.empty();
  if (!node.exists) {
    node.open_error = ENOENT;
    return node;
  }
  struct stat status {};
  const auto file = real(resolved);
  // The permissions decide in a copied tree: the superuser could open any file here, but the tree
  // is about its own machine's user.
  const bool closed =
      !this_machine() && ::stat(file.c_str(), &status) == 0 && (status.st_mode & 0666) == 0;
  if (closed) {
    node.open_error = EACCES;
  } else if (::faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
    node.open_error = errno;
  }
  return node;
}

}  // namespace platform
