#include "engine/whisper/transcriber/short_trial.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "engine/whisper/decoding/window_decoding.h"
#include "engine/whisper/transcriber/compared_words.h"
#include "engine/whisper/transcriber/window_check.h"

namespace engine {
namespace {

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

ShortTrial::Pause::Pause(ShortTrial* trial) : trial_(trial) {
  if (trial_ == nullptr) return;
  const std::scoped_lock lock(trial_->mutex_);
  ++trial_->under_way_;
  trial_->news_.notify_all();
}

ShortTrial::Pause::~Pause() {
  if (trial_ == nullptr) return;
  const std::scoped_lock lock(trial_->mutex_);
  --trial_->under_way_;
  trial_->news_.notify_all();
}

ShortTrial::ShortTrial(Runner& runner, const Tokenizer& tokenizer, std::chrono::milliseconds rest)
    : runner_(runner),
      tokenizer_(tokenizer),
      rest_(rest),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

bool ShortTrial::wants_clip() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size() < std::min(most_waiting, clips - compared_);
}

void ShortTrial::add(Clip clip) {
  const std::scoped_lock lock(mutex_);
  if (waiting_.size() >= std::min(most_waiting, clips - compared_)) return;
  waiting_.push_back(std::move(clip));
  news_.notify_all();
}

std::string ShortTrial::state() const {
  const std::scoped_lock lock(mutex_);
  if (compared_ < clips) {
    return "full until " + std::to_string(clips) + " clips were compared; " +
           std::to_string(compared_) + " are";
  }
  std::array<char, 64> share{};
  std::snprintf(share.data(), share.size(), "%.1f %% of the words differed in %zu clips",
                percent(different_, words_), clips);
  const bool is_short = runner_.short_windows() == ShortWindows::by_default;
  return (is_short ? "short: " : "full: ") + std::string(share.data());
}

void ShortTrial::run(const std::stop_token& stop) {
  while (auto clip = next(stop)) {
    const auto text = decode_short(*clip, stop);
    if (!text && stop.stop_requested()) return;
    // A clip that cannot be decoded speaks against short windows.
    count(clip->text, text ? *text : std::string());
  }
}

std::optional<ShortTrial::Clip> ShortTrial::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto may_begin = [this] { return !waiting_.empty() && under_way_ == 0; };
  while (compared_ < clips) {
    if (!news_.wait(lock, stop, may_begin)) return std::nullopt;
    // A client that asks for one clip after the other is not kept waiting between them.
    const bool is_disturbed = news_.wait_for(lock, stop, rest_, [&] { return !may_begin(); });
    if (stop.stop_requested()) return std::nullopt;
    if (is_disturbed) continue;
    Clip clip = std::move(waiting_.back());
    waiting_.pop_back();
    return clip;
  }
  return std::nullopt;
}

Result<std::string> ShortTrial::decode_short(Clip& clip, const std::stop_token& stop) const {
  const auto runner = runner_.for_job({protocol::WorkClass::background, 0}, stop);
  auto window = runner->encode(std::move(clip.mel));
  if (!window) return window.error();
  auto task = WindowDecoding::create(clip.decoding, tokenizer_, runner->dims());
  if (!task) return task.error();
  auto result = runner->decode(*std::move(window), std::move(*task), stop);
  if (!result) return result.error();
  const bool is_full = is_doubtful(*result, tokenizer_.timestamp_begin(), clip.speech_end,
                                   TranscriptionOptions{}.no_speech_threshold);
  return is_full ? clip.text : std::move(result->text);
}

void ShortTrial::count(const std::string& full, const std::string& shortened) {
  const auto words = compared_words(full);
  const std::size_t different = different_words(words, compared_words(shortened));
  const std::scoped_lock lock(mutex_);
  words_ += words.size();
  different_ += different;
  if (++compared_ < clips) return;
  const double allowed = most_different * static_cast<double>(words_);
  if (words_ > 0 && static_cast<double>(different_) <= allowed) runner_.shorten_windows();
}

}  // namespace engine
