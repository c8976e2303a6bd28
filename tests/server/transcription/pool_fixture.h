#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "server/transcription/model_pool.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server::test {

// A pool of fake workers (fake_worker.cpp) with the real scribed-decode.
class PoolTest : public testing::Test {
 protected:
  struct Events {
    void take(const protocol::TranscriptEvent& event) {
      if (std::holds_alternative<protocol::ModelLoaded>(event)) was_loaded();
      if (std::holds_alternative<protocol::Segment>(event)) ++segments;
      if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
        language = found->language;
      }
    }

    std::function<void()> was_loaded{};
    std::string language{};
    int segments = 0;
  };

  // One transcription. It must not move.
  struct Call {
    Events events{};
    protocol::Transcript transcript{};
    platform::UniqueFd sound{};  // the write end, if it is open
    bool waited = false;
    std::optional<Started<Result<void>>> call{};
  };

  void SetUp() override {
    settings_.decoder = SCRIBED_DECODE_PATH;
    settings_.find_setup = [this](const std::string& model, const auto&) { return setup(model); };
    behave("");
  }
  void TearDown() override {
    pool_.reset();
    ::unsetenv("SCRIBED_FAKE_WORKER");
    std::filesystem::remove(mark_);
  }

  void behave(const std::string& behaviour) {
    ::setenv("SCRIBED_FAKE_WORKER", behaviour.c_str(), 1);
  }

  // Makes the pool at first use, with the settings of the test.
  ModelPool& pool() {
    if (!pool_) pool_.emplace(io_.get_executor(), settings_);
    return *pool_;
  }

  // Begins to transcribe so many seconds of silence.
  Call& talk(const std::string& model, int seconds, const std::string& prompt = "",
             std::optional<KeepAlive> keep_alive = {},
             protocol::WorkClass work_class = protocol::WorkClass::interactive) {
    Call& call = calls_.emplace_back();
    start(call, model, wave(seconds), prompt, keep_alive, work_class);
    return call;
  }

  // Transcribes until call.sound is closed. The first segment is decided when this returns.
  Call& begin(const std::string& model, const std::string& prompt = "",
              protocol::WorkClass work_class = protocol::WorkClass::interactive) {
    Call& call = calls_.emplace_back();
    auto sound = wave(8, &call.sound);
    start(call, model, std::move(sound), prompt, {}, work_class);
    run_until(io_, [&] { return call.events.segments > 0 || call.call->ended(); });
    EXPECT_FALSE(call.call->ended());
    return call;
  }

  std::string error_of(Call& call) {
    run_until(io_, [&] { return call.call->ended(); });
    const auto& result = call.call->value();
    return result ? "" : result.error().code;
  }

  void cancel(Call& call) {
    call.call->cancel();
    run_until(io_, [&] { return call.call->ended(); });
    EXPECT_TRUE(call.call->threw());
  }

  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& model : pool().loaded()) names.push_back(model.name);
    return names;
  }

  // Returns the processes of workers that live now.
  std::vector<pid_t> workers() {
    std::vector<pid_t> found;
    const std::string pid = std::to_string(::getpid());
    std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
    for (pid_t pid = 0; children >> pid;) {
      std::string name;
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::getline(stat, name);
      const bool is_dead = name.find(") Z ") != std::string::npos;
      if (name.find("(scribed-fake-w") != std::string::npos && !is_dead) found.push_back(pid);
    }
    return found;
  }

  std::filesystem::path mark_file() {
    mark_ = std::filesystem::temp_directory_path() /
            ("scribed-pool-" + std::to_string(::getpid()) + ".mark");
    std::ofstream(mark_) << "here";
    return mark_;
  }

 private:
  // The pool calls this on a thread of its own.
  Result<WorkerSetup> setup(const std::string& model) {
    setups_.push_back(model);
    if (setup_error_) return *setup_error_;
    if (model == needs_all_memory_ && !workers().empty()) {
      return Error{errc::out_of_memory, "the model does not fit", ""};
    }
    WorkerSetup setup{
        .plan = {}, .load = {.model_name = model}, .limits = limits_, .on_load = on_load_};
    setup.plan.passed_over = passed_over_;
    for (int card = 0; card < cards_; ++card) {
      platform::Verdict verdict;
      verdict.backend = platform::Backend::cuda;
      verdict.index = card;
      verdict.device_name = "Card " + std::to_string(card);
      verdict.pack.worker = SCRIBED_FAKE_WORKER_PATH;
      setup.plan.candidates.push_back({verdict, ""});
    }
    platform::Verdict cpu;
    cpu.pack.worker = SCRIBED_FAKE_WORKER_PATH;
    if (nodes_.empty()) setup.plan.candidates.push_back({cpu, ""});
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      cpu.index = static_cast<int>(node);
      setup.plan.candidates.push_back({cpu, "", nodes_[node]});
    }
    return setup;
  }

  void start(Call& call, const std::string& model, platform::UniqueFd sound,
             const std::string& prompt, std::optional<KeepAlive> keep_alive,
             protocol::WorkClass work_class) {
    TranscriptionRequest request{.job = std::to_string(calls_.size()),
                                 .owner = owner_,
                                 .input = std::move(sound),
                                 .input_may_pause = static_cast<bool>(call.sound)};
    request.options.initial_prompt = prompt;
    request.work_class = work_class;
    call.events.was_loaded = [this, model] { loads_.push_back(model); };
    protocol::TranscriptSink sink = [&call](const protocol::TranscriptEvent& event) {
      call.events.take(event);
    };
    call.call.emplace(io_, pool().transcribe(
                               model, std::move(request), call.transcript, std::move(sink),
                               keep_alive, [&] { call.waited = true; }, give_way_));
    run_until(io_, [this] { return io_.poll_one() == 0; });
  }

  // Returns silence in a pipe, as a wave file without a length.
  static platform::UniqueFd wave(int seconds, platform::UniqueFd* open = nullptr) {
    using namespace std::string_literals;
    std::string bytes =
        "RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\xff\xff\xff\xff"s;
    bytes.append(static_cast<std::size_t>(seconds) * 32'000, '\0');
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    platform::UniqueFd read(ends[0]), write(ends[1]);
    ::fcntl(write.get(), F_SETPIPE_SZ, 1024 * 1024);
    EXPECT_EQ(::write(write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    if (open) *open = std::move(write);
    return read;
  }

  std::filesystem::path mark_{};

 protected:
  std::list<Call> calls_{};  // outlive their coroutines
  boost::asio::io_context io_;
  ModelPool::Settings settings_{};
  WorkerLimits limits_{};
  std::function<void(const protocol::worker::Loaded&)> on_load_{};
  GiveWay give_way_{};   // of calls that begin from now on
  std::string owner_{};  // likewise
  std::optional<Error> setup_error_{};
  std::string needs_all_memory_{};
  int cards_ = 0;                          // played GPUs, beside the CPU
  std::vector<std::vector<int>> nodes_{};  // CPUs of played NUMA nodes; empty: the CPU has none
  std::optional<PassedOver> passed_over_{};
  std::vector<std::string> setups_{};  // the models that were asked for
  std::vector<std::string> loads_{};   // the models of jobs in the order of their starts
  std::optional<ModelPool> pool_{};
};

}  // namespace server::test
