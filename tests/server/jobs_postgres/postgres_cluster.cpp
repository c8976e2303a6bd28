#include "tests/server/jobs_postgres/postgres_cluster.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

#include "server/jobs_postgres/connection.h"

namespace server::test {
namespace {

namespace fs = std::filesystem;

// The folder of the newest server that is installed; empty: there is none.
fs::path find_programs() {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", missing)) {
    const auto programs = version.path() / "bin";
    if (fs::exists(programs / "postgres") && fs::exists(programs / "initdb")) {
      found.push_back(programs);
    }
  }
  return found.empty() ? fs::path() : *std::ranges::max_element(found);
}

// The user of the server where root runs the tests.
const passwd* other_user() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("postgres");
  return user != nullptr ? user : ::getpwnam("nobody");
}

// Runs a program whose output goes to a file; it is killed when this process ends.
pid_t run(const std::vector<std::string>& command, const fs::path& output) {
  std::vector<char*> arguments;
  for (const auto& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  const passwd* user = other_user();
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(file, 1);
  ::dup2(file, 2);
  if (user != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 ||
                          ::setuid(user->pw_uid) != 0)) {
    ::_exit(126);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // a change of the user would undo it
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

bool answers(const std::string& address) {
  try {
    postgres::Connection({.address = address}).execute("SELECT 1");
    return true;
  } catch (const postgres::Failure&) {
    return false;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

PostgresCluster& PostgresCluster::instance() {
  static PostgresCluster cluster;
  return cluster;
}

PostgresCluster::PostgresCluster() : programs_(find_programs()) {
  if (programs_.empty()) {
    why_not_ = "no PostgreSQL server is installed";
    return;
  }
  if (const passwd* user = other_user(); user != nullptr) {
    if (::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      why_not_ = "the folder of PostgreSQL cannot be given away";
      return;
    }
  }
  const auto made = run({programs_ / "initdb", "-D", folder_ / "data", "-A", "trust", "-U",
                         "scribed", "-N", "-E", "UTF8", "--locale=C"},
                        folder_ / "initdb.log");
  if (wait_for(made) != 0) {
    why_not_ = "initdb failed: " + read_text(folder_ / "initdb.log");
    return;
  }
  start();
}

void PostgresCluster::start() {
  server_ = run({programs_ / "postgres", "-D", folder_ / "data", "-k", folder_.path(), "-c",
                 "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=100"},
                folder_ / "server.log");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!answers(address())) {
    if (std::chrono::steady_clock::now() > deadline) {
      why_not_ = "PostgreSQL does not start: " + read_text(folder_ / "server.log");
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresCluster::stop(int signal) {
  if (server_ < 0) return;
  ::kill(server_, signal);
  wait_for(server_);
  server_ = -1;
}

PostgresCluster::~PostgresCluster() {
  stop(SIGINT);
}

void PostgresCluster::crash_and_restart(std::chrono::milliseconds away) {
  stop(SIGQUIT);
  std::this_thread::sleep_for(away);
  start();
}

std::string PostgresCluster::address() const {
  return "host=" + folder_.path().string() + " user=scribed dbname=postgres";
}

}  // namespace server::test
