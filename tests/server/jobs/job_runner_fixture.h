#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/jobs/job_runner.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/held.h"
#include "tests/server/temporary_folder.h"
#include "tests/server/transcription/pool_fixture.h"

namespace server::test {

using namespace std::string_literals;  // of bytes with zeros among them
using std::chrono::milliseconds;

// Jobs that are begun and ended by their runner, in fake workers, which make a segment of every
// five seconds of sound.
class JobRunnerTest : public PoolTest {
 protected:
  void TearDown() override {
    if (runner_) stop(milliseconds(0));
    PoolTest::TearDown();
  }

  JobRunner& start() {
    runner_settings_.parallel = runner_settings_.waited = 2;
    runner_.emplace(io_.get_executor(), queue_, pool(), runner_settings_);
    runner_->start();
    return *runner_;
  }
  void stop(milliseconds grace) {
    stop(queue_, *runner_, grace);
    runner_.reset();
  }
  void stop(JobQueue& queue, JobRunner& runner, milliseconds grace) {
    queue.drain();
    const auto stopping = [&]() -> asio::awaitable<int> {
      co_await runner.stop(grace);
      co_return 0;
    };
    run(io_, stopping());
  }

  // A job of so many seconds of silence. The fake worker takes its prompt as an order, which does
  // not stay when the job goes on; hotwords do.
  JobRequest request(int seconds, const std::string& prompt = "") {
    const auto file = folder_ / (std::to_string(seconds) + ".wav");
    std::string bytes =
        "RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\xff\xff\xff\xff"s;
    bytes.append(static_cast<std::size_t>(seconds) * 32'000, '\0');
    write_text(file, bytes);
    JobRequest request{.model = "base", .input = file, .owner = "ada"};
    request.options.initial_prompt = prompt;
    return request;
  }
  std::string submit(JobRequest request) {
    return run(io_, queue_.submit(std::move(request))).value().id;
  }
  Job find(const std::string& id) { return run(io_, queue_.find(id, "ada")).value().value(); }
  Job ended(const std::string& id) {
    run_until(io_, [&] { return has_ended(find(id).state); });
    return find(id);
  }
  void wait_for_text(const std::string& id) {
    run_until(io_, [&] { return find(id).segments > 0; });
  }
  std::string text_of(const std::string& id) {
    return run(io_, queue_.transcript(find(id))).value().transcript.text;
  }

  TemporaryFolder folder_{};
  // The time flies, so that a job whose worker has died need not wait for long.
  JobQueue queue_{io_.get_executor(),
                  open_job_store({.file = folder_ / "jobs.sqlite",
                                  .now =
                                      [] {
                                        using Seconds = std::chrono::duration<double>;
                                        const auto now = std::chrono::steady_clock::now();
                                        return 20 * Seconds(now.time_since_epoch()).count();
                                      }})
                      .value(),
                  {}};
  JobRunner::Settings runner_settings_{
      .open_input = [this](const JobRequest& request) -> asio::awaitable<Result<Input>> {
        ++opened_;
        if (no_input_) co_return *no_input_;
        co_return open_input(request.input);
      }};
  int opened_ = 0;
  std::optional<Error> no_input_{};  // why inputs cannot be opened
  std::optional<JobRunner> runner_{};
};

}  // namespace server::test
