#include "platform/landlock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace platform {
namespace {

namespace fs = std::filesystem;

class LandlockTest : public testing::Test {
 protected:
  LandlockTest() {
    std::string name = "/tmp/scribed-landlock-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    for (const char* part : {"read", "spool", "write", "other"}) {
      fs::create_directory(folder_ / part);
      std::ofstream(folder_ / part / "file") << "text";
    }
  }
  ~LandlockTest() override { fs::remove_all(folder_); }

  // Returns what `deed` returns in a child behind Landlock; -1 if this machine has none.
  template <class Deed>
  int behind_wall(Deed deed) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      const std::array rules{PathRule{folder_ / "read", FileUse::read},
                             PathRule{folder_ / "spool", FileUse::spool},
                             PathRule{folder_ / "write", FileUse::write},
                             PathRule{folder_ / "write" / "file", FileUse::write},
                             PathRule{"/dev/null", FileUse::device},
                             PathRule{"/proc", FileUse::read},
                             PathRule{folder_ / "not there", FileUse::read}};
      if (!enter_landlock(rules).active) ::_exit(255);
      ::_exit(deed() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
  }
  bool opens(const fs::path& path, int flags) {
    const int opened = behind_wall([&] { return ::open(path.c_str(), flags, 0600) >= 0; });
    if (opened < 0) is_missing_ = true;
    return opened == 1;
  }

  fs::path folder_;
  bool is_missing_ = false;
};

TEST_F(LandlockTest, LeavesWhatTheRulesAllow) {
  const std::array allowed{
      std::pair{folder_ / "read" / "file", O_RDONLY},
      std::pair{folder_ / "read", O_RDONLY | O_DIRECTORY},
      std::pair{folder_ / "spool" / "new", O_RDWR | O_CREAT},
      std::pair{folder_ / "spool", O_RDWR | O_TMPFILE},
      std::pair{folder_ / "write" / "new", O_RDWR | O_CREAT},
      std::pair{folder_ / "write" / "file", O_RDWR | O_TRUNC},
      std::pair{fs::path("/dev/null"), O_RDWR},
      std::pair{fs::path("/proc/self/environ"), O_RDONLY},
      std::pair{fs::path("/proc/self/maps"), O_RDONLY},
  };
  for (const auto& [path, flags] : allowed) {
    const bool opened = opens(path, flags);
    if (is_missing_) GTEST_SKIP() << "no Landlock here";
    EXPECT_TRUE(opened) << path;
  }
}

TEST_F(LandlockTest, ForbidsAllElse) {
  const std::array forbidden{
      std::pair{folder_ / "other" / "file", O_RDONLY},
      std::pair{folder_ / "other" / "new", O_RDWR | O_CREAT},
      std::pair{folder_ / "read" / "file", O_WRONLY},
      std::pair{folder_ / "read" / "new", O_RDWR | O_CREAT},
      std::pair{fs::path("/etc/passwd"), O_RDONLY},
      std::pair{fs::path("/proc") / std::to_string(::getpid()) / "mem", O_RDONLY},
  };
  for (const auto& [path, flags] : forbidden) {
    const bool opened = opens(path, flags);
    if (is_missing_) GTEST_SKIP() << "no Landlock here";
    EXPECT_FALSE(opened) << path;
  }
}

}  // namespace
}  // namespace platform
