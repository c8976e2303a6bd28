#include "engine/worker/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace engine {
namespace {

namespace fs = std::filesystem;

// Each deed is done in a child that has entered the sandbox of a worker.
class WorkerSandbox : public testing::Test {
 protected:
  WorkerSandbox() {
    std::string name = "/var/tmp/scribed-sandbox-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    for (const char* part : {"models/base", "models/tiny", "cache", "spool", "home", "hub"}) {
      fs::create_directories(folder_ / part);
    }
    for (const char* file : {"models/base/model.bin", "models/tiny/model.bin", "home/private",
                             "home/model.bin", "home/vocabulary.txt", "hub/blob"}) {
      std::ofstream(folder_ / file) << "text";
    }
    fs::create_symlink(folder_ / "hub/blob", folder_ / "models/base/linked");
    ::setenv("CACHE_DIRECTORY", (folder_ / "cache").c_str(), 1);
    ::setenv("TMPDIR", (folder_ / "spool").c_str(), 1);
  }
  ~WorkerSandbox() override {
    ::unsetenv("CACHE_DIRECTORY");
    ::unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  template <class Deed>
  bool can(Deed deed, const fs::path& model) {
    const pid_t child = ::fork();
    if (child == 0) {
      drop_privileges();
      const auto shields = enter_sandbox({model, {folder_ / "vad/silero/weights"}, "cpu"});
      if (!platform::missing(shields).empty()) ::_exit(2);
      ::_exit(deed() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 2) lacks_something_ = true;
    return WEXITSTATUS(status) == 1;
  }
  template <class Deed>
  bool can(Deed deed) {
    return can(deed, folder_ / "models/base");
  }
  bool opens(const fs::path& path, int flags = O_RDONLY) {
    return can([&] { return ::open(path.c_str(), flags, 0600) >= 0; });
  }
  void SetUp() override {
    can([] { return true; });
    if (lacks_something_) GTEST_SKIP() << "this machine lacks a part of the sandbox";
  }

  fs::path folder_;
  bool lacks_something_ = false;
};

TEST_F(WorkerSandbox, ReadsTheModelWhereverItsLinksLead) {
  EXPECT_TRUE(opens(folder_ / "models/base/model.bin"));
  EXPECT_TRUE(opens(folder_ / "models/base/linked"));
  EXPECT_TRUE(opens("/proc/cpuinfo"));
  EXPECT_TRUE(opens("/usr/lib"));
}

TEST_F(WorkerSandbox, ReadsNothingElse) {
  EXPECT_FALSE(opens(folder_ / "models/tiny/model.bin"));
  EXPECT_FALSE(opens(folder_ / "home/private"));
  EXPECT_FALSE(opens("/etc/passwd"));
  EXPECT_FALSE(opens("/root"));
  EXPECT_FALSE(opens("/proc/" + std::to_string(::getpid()) + "/environ"));
  EXPECT_FALSE(opens("/proc/" + std::to_string(::getpid()) + "/mem"));
}

TEST_F(WorkerSandbox, ReadsOfAFoldersFilesThoseOfTheModelAlone) {
  const auto opens_beside = [&](const char* name) {
    return can([&] { return ::open((folder_ / "home" / name).c_str(), O_RDONLY) >= 0; },
               folder_ / "home/model.bin");
  };
  EXPECT_TRUE(opens_beside("model.bin"));
  EXPECT_TRUE(opens_beside("vocabulary.txt"));
  EXPECT_FALSE(opens_beside("private"));
}

TEST_F(WorkerSandbox, WritesTheCacheAndTheSpoolAlone) {
  EXPECT_TRUE(opens(folder_ / "cache/pack", O_RDWR | O_CREAT));
  EXPECT_TRUE(opens(folder_ / "spool", O_RDWR | O_TMPFILE));
  EXPECT_FALSE(can([&] {
    const int file = ::open((folder_ / "spool").c_str(), O_RDWR | O_TMPFILE, 0600);
    return ::ftruncate(file, 17LL << 30) == 0;
  }));
  EXPECT_FALSE(opens(folder_ / "models/base/model.bin", O_WRONLY));
  EXPECT_FALSE(opens(folder_ / "models/base/new", O_RDWR | O_CREAT));
  EXPECT_FALSE(opens(folder_ / "home/new", O_RDWR | O_CREAT));
  EXPECT_FALSE(opens("/tmp/scribed-new", O_RDWR | O_CREAT));
  EXPECT_TRUE(can([&] {
    const fs::path pack = folder_ / "cache/pack";
    std::ofstream(pack.string() + ".new") << "text";
    return ::rename((pack.string() + ".new").c_str(), pack.c_str()) == 0;
  }));
}

TEST_F(WorkerSandbox, ReachesNoNetwork) {
  EXPECT_FALSE(can([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }));
  EXPECT_FALSE(can([] { return ::socket(AF_INET6, SOCK_DGRAM, 0) >= 0; }));
  // Also with a socket that was there before.
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  EXPECT_FALSE(
      can([&] { return ::connect(socket, reinterpret_cast<sockaddr*>(&address), size) == 0; }));
  ::close(socket);
  ::close(listener);
}

TEST_F(WorkerSandbox, StartsNoProgramAndHurtsNoProcess) {
  EXPECT_FALSE(can([] {
    char program[] = "/bin/false";  // whose exit status is that of a deed that was done
    char* const arguments[] = {program, nullptr};
    ::execv(program, arguments);
    return false;
  }));
  EXPECT_FALSE(can([] { return ::kill(::getppid(), 0) == 0; }));
  EXPECT_FALSE(can([] { return ::sigqueue(::getppid(), 0, {}) == 0; }));
  EXPECT_FALSE(can([] { return ::syscall(SYS_tkill, ::getppid(), 0) == 0; }));
  EXPECT_TRUE(can([] { return ::kill(::getpid(), 0) == 0; }));
  const rlimit few{64, 64};
  EXPECT_FALSE(can([&] { return ::prlimit(::getppid(), RLIMIT_NOFILE, &few, nullptr) == 0; }));
  EXPECT_FALSE(can([] { return ::setpriority(PRIO_PROCESS, ::getppid(), 19) == 0; }));
  EXPECT_TRUE(can([] { return ::setpriority(PRIO_PROCESS, 0, 19) == 0; }));
}

TEST_F(WorkerSandbox, MakesThreadsAndNoProcesses) {
  EXPECT_FALSE(can([] { return ::fork() >= 0; }));
  EXPECT_FALSE(
      can([] { return ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0) >= 0; }));
  EXPECT_TRUE(can([] {
    bool has_run = false;
    std::thread([&] { has_run = true; }).join();
    return has_run;
  }));
}

TEST_F(WorkerSandbox, ReachesNoServiceOfTheMachineBehindUnixSockets) {
  EXPECT_FALSE(can([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }));
}

TEST_F(WorkerSandbox, LeavesNoCoreAndGetsNoNewRights) {
  EXPECT_TRUE(can([] {
    rlimit core{1, 1};
    ::getrlimit(RLIMIT_CORE, &core);
    return core.rlim_cur == 0 && core.rlim_max == 0 &&
           ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  }));
}

TEST_F(WorkerSandbox, GivesAGpuItsDevicesAndCaches) {
  ::setenv("HOME", (folder_ / "home").c_str(), 1);
  const auto has = [](const std::vector<platform::PathRule>& rules, const fs::path& path) {
    return std::ranges::any_of(rules, [&](const auto& rule) { return rule.path == path; });
  };
  const auto gpu = reachable_paths({{}, {}, "cuda:0"});
  EXPECT_TRUE(has(gpu, folder_ / "home/.nv/ComputeCache"));
  EXPECT_TRUE(has(gpu, "/dev/kfd"));
  EXPECT_FALSE(has(reachable_paths({{}, {}, "cpu"}), "/dev/kfd"));
}

}  // namespace
}  // namespace engine
