#include "tests/server/objects/s3_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "platform/unique_fd.h"

namespace server::test {
namespace {

namespace fs = std::filesystem;

// The server may remove files and folders meanwhile: then this looks again.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (int tries = 0; tries < 100; ++tries) {
    files.clear();
    std::error_code error;
    std::error_code gone;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (at->is_regular_file(gone)) files.push_back(at->path());
    }
    if (!error) break;
  }
  return files;
}

fs::path find_program() {
  std::string path = std::string(SCRIBED_SOURCE_DIR "/.deps/s3_server:") + std::getenv("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const fs::path program = fs::path(path.substr(begin, end - begin)) / "versitygw";
    if (::access(program.c_str(), X_OK) == 0) return program;
    begin = end + 1;
  }
  return {};
}

sockaddr_in address(int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

int free_port() {
  const platform::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at = address(0);
  socklen_t size = sizeof at;
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    return 0;
  }
  return ntohs(at.sin_port);
}

bool listens(int port) {
  const platform::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in at = address(port);
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
}

}  // namespace

S3Server& S3Server::instance() {
  static S3Server server;
  return server;
}

S3Server::S3Server() : program_(find_program()), port_(free_port()) {
  if (program_.empty()) {
    why_not_ = "no S3 server is installed";
    return;
  }
  fs::create_directories(folder_ / "data/recordings");
  fs::create_directories(folder_ / "meta");
  start();
}

S3Server::~S3Server() {
  stop();
}

void S3Server::start() {
  std::vector<std::string> command{
      program_, "--quiet",   "--port",         "127.0.0.1:" + std::to_string(port_),
      "posix",  "--sidecar", folder_ / "meta", folder_ / "data"};
  std::vector<char*> arguments;
  for (auto& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  ::setenv("ROOT_ACCESS_KEY_ID", "tester", 1);
  ::setenv("ROOT_SECRET_ACCESS_KEY", "not-a-secret", 1);
  server_ = ::fork();
  if (server_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int output =
        ::open((folder_ / "server.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!listens(port_)) {
    if (std::chrono::steady_clock::now() > deadline) {
      why_not_ = "the S3 server does not start: " + read_text(folder_ / "server.log");
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void S3Server::stop() {
  if (server_ < 0) return;
  ::kill(server_, SIGKILL);
  while (::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
  }
  server_ = -1;
}

void S3Server::stall(bool is_stalled) const {
  if (server_ < 0) return;
  ::kill(server_, is_stalled ? SIGSTOP : SIGCONT);
  // Its threads run on until the signal has reached them all.
  if (is_stalled) ::waitpid(server_, nullptr, WUNTRACED);
}

S3Settings S3Server::settings(const std::string& prefix) const {
  return {.place = {.endpoint = "http://127.0.0.1:" + std::to_string(port_),
                    .region = "us-east-1",
                    .bucket = "recordings",
                    .prefix = prefix},
          .keys = {.keys = {"tester", "not-a-secret"}},
          .connect_limit = std::chrono::seconds(2),
          .patience = std::chrono::seconds(2)};
}

std::vector<std::string> S3Server::names() const {
  const fs::path bucket = folder_ / "data/recordings";
  std::vector<std::string> names;
  for (const auto& path : files_below(bucket)) {
    const auto name = path.lexically_relative(bucket).string();
    if (!name.starts_with(".")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

void S3Server::clear() const {
  for (const auto& name : names()) fs::remove(file(name));
}

int S3Server::unfinished() const {
  const auto files = files_below(folder_ / "data/recordings");
  return static_cast<int>(std::ranges::count_if(files, [](const fs::path& file) {
    return file.string().find("/.sgwtmp/multipart/") != std::string::npos;
  }));
}

fs::path S3Server::file(const std::string& name) const {
  return folder_ / ("data/recordings/" + name);
}

}  // namespace server::test
