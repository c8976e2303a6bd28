#include "engine/whisper/transcriber/in_order.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace engine {
namespace {

class Pieces {
 public:
  Pieces(std::size_t count, const PieceWork& work) : work_(work), results_(count) {}

  // Each thread does one piece after the other until none is left.
  void run(const std::stop_token& stop) {
    try {
      while (const auto index = take(stop)) give(*index, work_(*index, stop));
    } catch (...) {
      give_up(std::current_exception());
    }
  }

  // Waits for a piece's result. An error of any piece comes first; what was thrown is thrown on.
  Result<std::vector<Segment>> wait_for(std::size_t index, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return thrown_ || error_ || results_[index]; });
    if (thrown_) std::rethrow_exception(thrown_);
    if (error_) return *error_;
    if (!results_[index]) return Error{Errc::cancelled, "the transcription was cancelled", ""};
    return std::move(*results_[index]);
  }

 private:
  std::optional<std::size_t> take(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested() || next_ == results_.size()) return std::nullopt;
    return next_++;
  }

  void give(std::size_t index, Result<std::vector<Segment>> result) {
    {
      const std::lock_guard lock(mutex_);
      if (result) {
        results_[index] = std::move(*result);
      } else if (!error_) {
        error_ = result.error();
      }
    }
    changed_.notify_one();
  }

  void give_up(std::exception_ptr thrown) {
    {
      const std::lock_guard lock(mutex_);
      thrown_ = std::move(thrown);
    }
    changed_.notify_one();
  }

  const PieceWork& work_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t next_ = 0;
  std::vector<std::optional<std::vector<Segment>>> results_;
  std::optional<Error> error_;
  std::exception_ptr thrown_;
};

// The threads end however the caller leaves, by an error or an exception of its own.
struct StopAtEnd {
  std::stop_source& source;
  ~StopAtEnd() { source.request_stop(); }
};

}  // namespace

Result<void> run_in_order(std::size_t count, std::size_t threads, const std::stop_token& stop,
                          const PieceWork& work, const PieceDone& done) {
  Pieces pieces(count, work);
  std::stop_source ours;
  const std::stop_callback forward(stop, [&ours] { ours.request_stop(); });
  std::vector<std::jthread> running;
  const StopAtEnd before_they_are_joined{ours};
  for (std::size_t i = 0; i < std::min(count, threads); ++i) {
    running.emplace_back([&pieces, token = ours.get_token()] { pieces.run(token); });
  }
  for (std::size_t index = 0; index < count; ++index) {
    auto segments = pieces.wait_for(index, stop);
    if (!segments) return segments.error();
    done(index, std::move(*segments));
  }
  return {};
}

}  // namespace engine
