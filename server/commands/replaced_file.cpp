#include "server/commands/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "platform/unique_fd.h"

namespace server {
namespace {

namespace fs = std::filesystem;

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

  int replace(const fs::path& file, std::string_view text, FileModes modes) {
    if (!fd_) return errno;
    if (const int failed = take_over_access(file, modes)) return failed;
    while (!text.empty()) {
      const auto written = ::write(fd_.get(), text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    const bool done = ::fsync(fd_.get()) == 0 && ::rename(name_.c_str(), file.c_str()) == 0;
    if (!done) return errno;
    fd_.reset();
    return 0;
  }

 private:
  // A service may read the file by its group, and its folder tells whose it is.
  int take_over_access(const fs::path& file, FileModes modes) {
    struct ::stat old {};
    const bool is_new = ::stat(file.c_str(), &old) != 0;
    if (::fchmod(fd_.get(), is_new ? modes.fresh : old.st_mode & modes.kept) != 0) return errno;
    if (is_new && (::geteuid() != 0 || ::stat(file.parent_path().c_str(), &old) != 0)) return 0;
    return ::fchown(fd_.get(), old.st_uid, old.st_gid) == 0 ? 0 : errno;
  }

  std::string name_;
  platform::UniqueFd fd_;
};

}  // namespace

int replace_file(const fs::path& file, std::string_view text, FileModes modes) {
  return Replacement(file).replace(file, text, modes);
}

}  // namespace server
