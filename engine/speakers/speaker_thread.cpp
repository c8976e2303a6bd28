#include "engine/speakers/speaker_thread.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "engine/speakers/speaker_analysis.h"
#include "engine/speakers/stoppable_networks.h"

namespace engine {
namespace {

constexpr std::chrono::milliseconds tell_interval{500};
constexpr std::size_t block_samples = sample_rate_hz;
constexpr std::int64_t forgotten_at_once = std::int64_t{60} * sample_rate_hz;

}  // namespace

SpeakerThread::SpeakerThread(std::shared_ptr<const SpeakerNetworks> networks, SpeakerBounds bounds,
                             std::vector<KnownVoice> voices, SpoolFile file,
                             std::function<void()> prepare,
                             std::shared_ptr<const SileroWeights> vad)
    : networks_(std::move(networks)),
      bounds_(bounds),
      voices_(std::move(voices)),
      sound_(std::move(file)),
      prepare_(std::move(prepare)),
      vad_(std::move(vad)) {}

Result<void> SpeakerThread::finish() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  return {};
}

void SpeakerThread::run(const std::stop_token& stop) {
  std::optional<Result<Turns>> result;
  std::exception_ptr failure;
  try {
    prepare_();
    result = find(stop);
  } catch (const Exception& e) {
    result = e.error;
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  failure_ = std::move(failure);
  news_.notify_all();
}

Result<Turns> SpeakerThread::find(const std::stop_token& stop) {
  SpeakerAnalysis analysis(std::make_shared<StoppableNetworks>(networks_, stop), vad_);
  std::vector<float> block(block_samples);
  for (std::int64_t at = 0; at < sound_.samples(); heard_ = at) {
    if (stop.stop_requested()) return StoppableNetworks::cancelled();
    const auto left = static_cast<std::size_t>(sound_.samples() - at);
    const std::span part = std::span(block).first(std::min(block.size(), left));
    if (const auto read = sound_.read(at, part); !read) return read.error();
    analysis.push(part);
    at += static_cast<std::int64_t>(part.size());
    if (at % forgotten_at_once == 0) sound_.forget_before(at);
  }
  analysis.finish();
  return find_turns(analysis.evidence(), bounds_, voices_);
}

Result<Turns> SpeakerThread::turns(const std::function<void(double seconds)>& heard,
                                   const std::stop_token& stop) {
  const auto is_over = [this] { return result_ || failure_; };
  std::int64_t told = -1;  // samples
  std::unique_lock lock(mutex_);
  while (!news_.wait_for(lock, stop, tell_interval, is_over)) {
    if (stop.stop_requested()) return StoppableNetworks::cancelled();
    const std::int64_t now = heard_;
    if (now == told) continue;  // whoever watches the job sees that nothing goes on
    told = now;
    lock.unlock();
    heard(static_cast<double>(now) / sample_rate_hz);
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
  return *std::move(result_);
}

}  // namespace engine
