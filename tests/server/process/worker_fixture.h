#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/process/worker.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server::test {

namespace wire = protocol::worker;
using std::chrono::milliseconds;

inline constexpr std::size_t bytes_per_second = 16'000 * sizeof(float);

// The events of a job that tests check. It must outlive the job.
struct Segments {
  operator JobListener() {
    return {.sink = [this](const protocol::TranscriptEvent& event) { take(event); },
            .must_move_on = [this] { return moves_on; }};
  }

  void take(const protocol::TranscriptEvent& event) {
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      language = found->language;
    } else if (const auto* live = std::get_if<protocol::LiveText>(&event)) {
      looks.push_back(live->heard_s);
    } else if (const auto* segment = std::get_if<protocol::Segment>(&event)) {
      ends.push_back(segment->end);
      if (fails) throw std::runtime_error("the output is full");
    }
  }

  std::string language;
  std::vector<double> ends;
  std::vector<double> looks;  // passes over the sound of a live transcription
  bool moves_on = true;
  bool fails = false;
};

// A job that goes on until its sound ends.
struct OpenJob {
  Segments segments{};
  platform::UniqueFd sound{};
  std::optional<Started<Result<wire::Done>>> call{};
};

// A Worker whose process is the fake one, and sound for it.
class WorkerFixture : public testing::Test {
 protected:
  void SetUp() override {
    limits_.hello = limits_.load = milliseconds(5'000);
    limits_.tick = milliseconds(20);
  }
  void TearDown() override { ::unsetenv("SCRIBED_FAKE_WORKER"); }

  std::unique_ptr<Worker> spawn(const char* behaviour) {
    ::setenv("SCRIBED_FAKE_WORKER", behaviour, 1);
    return Worker::spawn(io_.get_executor(), {SCRIBED_FAKE_WORKER_PATH}, limits_).value();
  }

  std::unique_ptr<Worker> spawn_loaded(const char* behaviour) {
    auto worker = spawn(behaviour);
    run(io_, worker->load({}, 0)).value();
    return worker;
  }

  // Returns a pipe that holds so many seconds of silence. Its write end stays open only if `open`
  // takes it.
  platform::UniqueFd pcm(double seconds, platform::UniqueFd* open = nullptr) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    platform::UniqueFd read(ends[0]), write(ends[1]);
    ::fcntl(write.get(), F_SETPIPE_SZ, 1024 * 1024);
    const std::string silence(static_cast<std::size_t>(seconds * bytes_per_second), '\0');
    EXPECT_EQ(::write(write.get(), silence.data(), silence.size()),
              static_cast<ssize_t>(silence.size()));
    if (open) *open = std::move(write);
    return read;
  }

  std::string load_error(const char* behaviour) {
    auto worker = spawn(behaviour);
    const auto loaded = run(io_, worker->load({}, 0));
    return loaded ? "" : loaded.error().code + ": " + loaded.error().message;
  }

  std::string job_error(const char* behaviour) {
    auto worker = spawn_loaded(behaviour);
    const auto done = run(io_, worker->transcribe({"1", {}}, pcm(12), segments_));
    EXPECT_FALSE(worker->usable());
    return done ? "" : done.error().code + ": " + done.error().message;
  }

  // Begins a job, which has decided its first segment when this returns.
  OpenJob& begin(Worker& worker, const std::string& name, const std::string& prompt = "") {
    OpenJob& job = jobs_.emplace_back();
    wire::Transcribe request{.job = name};
    request.options.initial_prompt = prompt;
    auto sound = pcm(6, &job.sound);
    job.call.emplace(io_, worker.transcribe(request, std::move(sound), job.segments));
    run_until(io_, [&] { return !job.segments.ends.empty() || job.call->ended(); });
    return job;
  }

  // Returns whether the worker has closed the job's sound.
  static bool has_no_reader(const platform::UniqueFd& sound) {
    pollfd pipe{.fd = sound.get(), .events = 0, .revents = 0};
    return ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
  }

  std::string error_of(OpenJob& job) {
    run_until(io_, [&] { return job.call->ended(); });
    const auto& result = job.call->value();
    return result ? "" : result.error().code;
  }

  std::list<OpenJob> jobs_;  // their calls end with io_
  boost::asio::io_context io_;
  WorkerLimits limits_;
  Segments segments_;
};

}  // namespace server::test
