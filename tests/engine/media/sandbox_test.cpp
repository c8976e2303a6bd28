#include "engine/media/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

bool active(const std::vector<Shield>& shields, const std::string& name) {
  for (const auto& shield : shields) {
    if (shield.name == name) return shield.active;
  }
  return false;
}

// Returns why a shield is missing.
std::string missing(const std::string& shield) {
  return instrumented ? "this build is instrumented by a sanitizer, and has no sandbox"
                      : "no " + shield + " here";
}

// Runs `deed` in a child inside the sandbox; the child's wait status, or nullopt where this machine
// lacks the shield that the deed is held against.
template <class Deed>
std::optional<int> in_sandbox(const char* shield, Deed deed) {
  constexpr int lacks_it = 99;
  const pid_t child = ::fork();
  if (child == 0) {
    if (!active(enter_sandbox({}), shield)) ::_exit(lacks_it);
    ::_exit(deed());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == lacks_it) return std::nullopt;
  return status;
}

bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

TEST(Sandbox, OpensNothing) {
  const auto status = in_sandbox("seccomp", [] { return ::open("/", O_RDONLY) < 0 ? 0 : 1; });
  if (!status) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(exited_with(*status, 0));
}

TEST(Sandbox, DiesOfSocketsAndPrograms) {
  const auto socket = in_sandbox("seccomp", [] { return ::socket(AF_INET, SOCK_STREAM, 0) < 0; });
  if (!socket) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(WIFSIGNALED(*socket) && WTERMSIG(*socket) == SIGSYS);
  const auto program = in_sandbox("seccomp", [] {
    char* const none[] = {nullptr};
    return ::execve("/bin/true", none, none);
  });
  EXPECT_TRUE(program && WIFSIGNALED(*program) && WTERMSIG(*program) == SIGSYS);
}

TEST(Sandbox, MakesNoProcess) {
  const auto forked = in_sandbox("seccomp", [] { return ::fork() < 0 ? 0 : 1; });
  if (!forked) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(exited_with(*forked, 0));
}

TEST(Sandbox, WritesOnlyWhereItMust) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto status = in_sandbox("seccomp", [&] { return ::write(ends[1], "x", 1) == 1 ? 1 : 0; });
  ::close(ends[0]);
  ::close(ends[1]);
  if (!status) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(exited_with(*status, 0));
}

TEST(Sandbox, EndsAtItsLimitOfMemory) {
  const auto status = in_sandbox("limits", [] {
    void* block = std::malloc(512UL << 20);
    return block == nullptr ? 0 : 1;
  });
  if (!status) GTEST_SKIP() << missing("limits");
  EXPECT_TRUE(exited_with(*status, 0));
}

TEST(Sandbox, MapsNoFile) {
  const int file = ::open("/proc/self/exe", O_RDONLY);
  const auto status = in_sandbox("seccomp", [file] {
    const auto maps = [](int protection, int flags, int fd) {
      return ::mmap(nullptr, 4096, protection, MAP_PRIVATE | flags, fd, 0) != MAP_FAILED;
    };
    return !maps(PROT_READ, 0, file) && !maps(PROT_READ | PROT_EXEC, MAP_ANONYMOUS, -1) &&
                   maps(PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1)
               ? 0
               : 1;
  });
  ::close(file);
  if (!status) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(exited_with(*status, 0));
}

// Returns whether `fd` can be written to in the sandbox of a decoder whose report goes to
// `report_fd`.
bool writes_to(int fd, int report_fd, int sound_fd = -1) {
  const pid_t child = ::fork();
  if (child == 0) {
    const SandboxOptions options{.report_fd = report_fd, .sound_fd = sound_fd, .sound_bytes = 10};
    if (!active(enter_sandbox(options), "seccomp")) ::_exit(2);
    ::_exit(::write(fd, "", 0) == 0 ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return exited_with(status, 1);
}

TEST(Sandbox, WritesToStderrOnlyWithoutAReport) {
  if (!in_sandbox("seccomp", [] { return 0; })) GTEST_SKIP() << missing("seccomp");
  EXPECT_TRUE(writes_to(STDERR_FILENO, -1));
  EXPECT_FALSE(writes_to(STDERR_FILENO, STDOUT_FILENO));
}

TEST(Sandbox, WritesTheCopyOfTheSound) {
  if (!in_sandbox("seccomp", [] { return 0; })) GTEST_SKIP() << missing("seccomp");
  const auto file = media_test::memory_file("");
  EXPECT_TRUE(writes_to(file.get(), STDOUT_FILENO, file.get()));
  EXPECT_FALSE(writes_to(file.get(), STDOUT_FILENO));
}

TEST(Sandbox, SaysThatAnInstrumentedBuildHasNone) {
  if (!instrumented) GTEST_SKIP() << "for builds with a sanitizer";
  const auto shields = enter_sandbox({});
  ASSERT_EQ(shields.size(), 1U);
  EXPECT_FALSE(shields.front().active);
}

}  // namespace
}  // namespace engine::media
