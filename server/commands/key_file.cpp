#include "server/commands/key_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "platform/unique_fd.h"
#include "server/http/api_keys.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Error not_replaced(const fs::path& file, int error_number) {
  return {error_number == ENOSPC ? errc::out_of_disk : errc::output_not_writable,
          "cannot write " + file.string() + ": " + std::strerror(error_number), ""};
}

Result<void> check_keys(std::string_view text) {
  ApiKeys keys;
  if (auto checked = keys.add_lines(text); !checked) return checked;
  if (keys.size() > 0) return {};
  return Error{errc::usage, "this is the last key, and no server starts with a file without one",
               "Add another one first: scribed keys add NAME"};
}

// The temporary file beside the one that it will replace; removed unless it has.
class Replacement {
 public:
  explicit Replacement(const fs::path& file)
      : name_((file.parent_path() / ("." + file.filename().string() + ".XXXXXX")).string()),
        fd_(::mkostemp(name_.data(), O_CLOEXEC)) {}
  Replacement(const Replacement&) = delete;
  ~Replacement() {
    if (fd_) ::unlink(name_.c_str());
  }

  // Returns 0, or what went wrong.
  int replace(const fs::path& file, std::string_view text) {
    if (!fd_) return errno;
    if (const int failed = take_over_access(file)) return failed;
    const auto written = ::write(fd_.get(), text.data(), text.size());
    if (written < 0) return errno;
    if (static_cast<std::size_t>(written) != text.size()) return ENOSPC;
    const bool done = ::fsync(fd_.get()) == 0 && ::rename(name_.c_str(), file.c_str()) == 0;
    if (!done) return errno;
    fd_.reset();
    return 0;
  }

 private:
  // A service may read the file by its group, and its folder tells whose it is. Returns 0, or what
  // went wrong.
  int take_over_access(const fs::path& file) {
    struct ::stat old {};
    const bool is_new = ::stat(file.c_str(), &old) != 0;
    if (is_new && (::geteuid() != 0 || ::stat(file.parent_path().c_str(), &old) != 0)) return 0;
    const bool is_given = ::fchown(fd_.get(), old.st_uid, old.st_gid) == 0 &&
                          (is_new || ::fchmod(fd_.get(), old.st_mode & 0770) == 0);
    return is_given ? 0 : errno;
  }

  std::string name_;
  platform::UniqueFd fd_;
};

}  // namespace

Result<std::string> read_key_file(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure) && !failure) return std::string();
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (fs::is_regular_file(file, failure) && stream && (text << stream.rdbuf() || text.eof())) {
    return text.str();
  }
  // An empty file gives nothing to copy, which is no failure.
  if (fs::is_regular_file(file, failure) && fs::is_empty(file, failure)) return std::string();
  return Error{errc::input_unreadable, "the file of keys " + file.string() + " cannot be read", ""};
}

bool is_for_root_alone(const fs::path& file) {
  struct ::stat status {};
  if (::stat(file.c_str(), &status) != 0 || status.st_uid != 0) return false;
  const bool others_can = (status.st_mode & S_IROTH) != 0;
  const bool group_can = (status.st_mode & S_IRGRP) != 0 && status.st_gid != 0;
  return !others_can && !group_can;
}

Result<void> edit_key_file(const fs::path& named,
                           const std::function<Result<std::string>(std::string_view text)>& edit) {
  // A link to the file stays one.
  std::error_code failure;
  const fs::path whole = fs::absolute(named, failure);
  const fs::path real = fs::weakly_canonical(whole, failure);
  const fs::path& file = real.empty() ? whole : real;
  const platform::UniqueFd folder(
      ::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::flock(folder.get(), LOCK_EX) != 0) return not_replaced(file, errno);
  const auto text = read_key_file(file);
  if (!text) return text.error();
  const auto edited = edit(*text);
  if (!edited) return edited.error();
  if (const auto checked = check_keys(*edited); !checked) return checked;
  if (const int failed = Replacement(file).replace(file, *edited)) {
    return not_replaced(file, failed);
  }
  return {};
}

}  // namespace server
