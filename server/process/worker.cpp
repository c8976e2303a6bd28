#include "server/process/worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "platform/child_environment.h"
#include "server/base/exhausted.h"
#include "server/base/private_fds.h"
#include "server/process/worker_session.h"

namespace server {

namespace wire = protocol::worker;

Result<std::unique_ptr<Worker>> Worker::spawn(asio::any_io_executor executor,
                                              const WorkerProgram& program, WorkerLimits limits) {
  int ends[2];
  if (private_socket_pair(ends) != 0) {
    return exhausted_or(
        errno, {errc::internal, fmt::format("cannot make a socket: {}", std::strerror(errno)), ""});
  }
  platform::UniqueFd ours(ends[0]), theirs(ends[1]);
  if (private_pipe(ends) != 0) {
    return exhausted_or(
        errno, {errc::internal, fmt::format("cannot make a pipe: {}", std::strerror(errno)), ""});
  }
  platform::UniqueFd stderr_read(ends[0]), stderr_write(ends[1]);
  auto environment = platform::worker_environment(program.library_path);
  if (program.spool_min_free > 0) {
    environment.push_back(fmt::format("{}={}", platform::spool_min_free, program.spool_min_free));
  }
  if (program.spool_is_shared)
    environment.push_back(fmt::format("{}=1", platform::spool_is_shared));
  auto process =
      ChildProcess::spawn(executor, {.program = program.file,
                                     .arguments = {"--socket-fd", "3"},
                                     .descriptors = {{.ours = stderr_write.get(), .childs = 2},
                                                     {.ours = theirs.get(), .childs = 3}},
                                     .environment = std::move(environment),
                                     .cpus = program.cpus});
  if (!process) return process.error();
  auto session = std::make_shared<WorkerSession>(std::move(executor), *std::move(process),
                                                 std::move(ours), std::move(stderr_read), limits);
  return std::unique_ptr<Worker>(new Worker(std::move(session)));
}

Worker::Worker(std::shared_ptr<WorkerSession> session) : session_(std::move(session)) {}

Worker::~Worker() {
  close();
}

asio::awaitable<Result<wire::Loaded>> Worker::load(wire::Load load, std::int64_t model_bytes) {
  return WorkerSession::load(session_, std::move(load), model_bytes);
}

asio::awaitable<Result<wire::BenchResult>> Worker::bench(wire::Bench bench) {
  return WorkerSession::bench(session_, std::move(bench));
}

asio::awaitable<Result<wire::Done>> Worker::transcribe(wire::Transcribe job, platform::UniqueFd pcm,
                                                       JobListener listener) {
  return WorkerSession::transcribe(session_, std::move(job), std::move(pcm), std::move(listener));
}

void Worker::on_death(std::function<void(const Error&)> callback) {
  session_->on_death(std::move(callback));
}

asio::awaitable<void> Worker::stop() {
  return WorkerSession::stop(session_);
}

void Worker::close() {
  session_->close();
}

std::string Worker::last_words() {
  return session_->last_words();
}

const protocol::DeviceUse& Worker::use() const {
  return session_->use();
}

bool Worker::usable() const {
  return session_->usable();
}

pid_t Worker::pid() const {
  return session_->pid();
}

}  // namespace server
