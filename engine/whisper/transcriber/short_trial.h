#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/text/tokenizer.h"

namespace engine {

// Finds out whether a model may use short windows by default: it decodes the first clips, whose
// windows were full, in short ones as well, and compares the texts. That happens on a thread of its
// own, while no transcription is under way. If few words differ in the end, it says so to the
// runner, which every later transcription asks. Any number of threads may call it.
class ShortTrial {
 public:
  static constexpr std::size_t clips = 20;
  static constexpr std::size_t most_waiting = 4;  // clips, a megabyte each or more
  static constexpr double most_different = 0.05;  // of the words
  static constexpr double longest_s = 26;         // of a clip; a longer one has little padding

  // A window that was decoded in full.
  struct Clip {
    MelWindow mel{};             // with the frames of its audio
    DecodingOptions decoding{};  // as it was tried first
    // The end of speech, in seconds from the start of the window; unset without timestamps.
    std::optional<double> speech_end{};
    std::string text{};
  };

  // While one of them exists, no clip is decoded.
  class Pause {
   public:
    explicit Pause(ShortTrial* trial);  // null: nothing is tried
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    ShortTrial* trial_;
  };

  // Both must outlive it. Its calls to the model are the least urgent ones.
  //   rest: of the device, before a clip is decoded
  ShortTrial(Runner& runner, const Tokenizer& tokenizer,
             std::chrono::milliseconds rest = std::chrono::seconds(1));

  // Returns whether another clip would be of use.
  bool wants_clip() const;
  // Takes a clip, if it still wants one.
  void add(Clip clip);
  // Returns how far it is, or what came of it, as a sentence without its end.
  std::string state() const;

 private:
  void run(const std::stop_token& stop);
  std::optional<Clip> next(const std::stop_token& stop);
  // Returns the text of the short window, or of the full one where the check prefers that.
  Result<std::string> decode_short(Clip& clip, const std::stop_token& stop) const;
  void count(const std::string& full, const std::string& shortened);

  Runner& runner_;
  const Tokenizer& tokenizer_;
  std::chrono::milliseconds rest_;
  mutable std::mutex mutex_;  // guards what follows, up to the thread
  std::condition_variable_any news_;
  std::vector<Clip> waiting_{};
  std::size_t compared_ = 0;  // clips
  std::size_t words_ = 0;
  std::size_t different_ = 0;  // words
  int under_way_ = 0;          // transcriptions
  std::jthread thread_;        // last: it uses the others
};

}  // namespace engine
