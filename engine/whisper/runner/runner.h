#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/schedule/schedule.h"
#include "engine/whisper/decoding/window_decoding.h"
#include "engine/whisper/model/model.h"
#include "protocol/device_use.h"
#include "protocol/transcript.h"

namespace engine {

class DeviceLoop;
class PassQueue;

// Opens the device and makes the model. It is called once, on the device thread. What it holds is
// let go there, too, behind the model: so a device that it opened can be given back.
using ModelLoader = std::function<Result<std::unique_ptr<Model>>()>;

// Owns, together with those that were made from it, the model and the device thread, which alone
// loads, runs and drops it. Any number of threads may call it at once; each call blocks its caller
// until its own result is there. Decodes that are under way take their steps together, and what is
// urgent goes first (schedule.h), so that no caller waits for another's whole window.
class Runner {
 public:
  // Loads the model.
  //   windows  that are held at once, beside a few; 0: no limit. A model with a plan of its memory
  //            has its own limit
  static Result<std::unique_ptr<Runner>> start(ModelLoader load, int windows = 0);
  // The last of those owners ends calls that still wait with `cancelled`; the model is gone when it
  // returns, and what its loader held.
  ~Runner();

  // Whose a transcription is, and what for.
  struct Asker {
    protocol::WorkClass work_class = protocol::WorkClass::interactive;
    std::uint64_t owner = 0;
  };

  // Returns the same model for one transcription, whose calls count together. A stop request also
  // ends those that have not begun, with `cancelled`.
  std::unique_ptr<Runner> for_job(Asker asker, std::stop_token stop) const;

  const ModelDims& dims() const;
  // Returns how many windows of one long recording are worth having under way at once.
  int windows_at_once() const;
  const MemoryPlan& plan() const;
  ShortWindows short_windows() const;
  // Says that the model, which is one of ShortWindows::by_trial, has short windows by default.
  void shorten_windows();
  protocol::DeviceUse use() const;
  // Says that the sound of this live session comes faster than it is spoken. Its work is then done
  // as that of short recordings for which clients wait, and not before everybody's. The session's
  // thread calls it.
  void set_ahead(bool is_ahead) { is_ahead_ = is_ahead; }
  bool is_ahead() const { return is_ahead_; }
  std::uint64_t owner() const { return asker_.owner; }
  // Returns the queue of the live sessions that share the model.
  PassQueue& passes() const { return *passes_; }

  Result<EncodedWindow> encode(MelWindow mel);
  // Encodes the last window once more; it is as urgent as before.
  Result<EncodedWindow> encode_again(MelWindow mel);

  // Counts a decoded window of this transcription.
  void count_window(protocol::WindowKind kind);
  protocol::WindowCounts window_counts() const;

  // Returns the logits [n_vocab] after a lone sot token, from which the language is read.
  Result<std::vector<float>> logits_after_sot(EncodedWindow window, int sot);

  // Returns where the decoder looks in the window for each of the tokens; see Model::attend.
  Result<TokenAttention> attend(EncodedWindow window, std::vector<int> tokens, int n_text,
                                std::vector<std::pair<int, int>> heads);

  // Runs `decoding` to its end. A stop request ends it within a step, with `cancelled`.
  Result<DecodingResult> decode(EncodedWindow window, WindowDecoding decoding,
                                std::stop_token stop);
  // Runs several decodings of one window side by side; their results come in their order.
  Result<std::vector<DecodingResult>> decode_together(const EncodedWindow& window,
                                                      std::vector<WindowDecoding> decodings,
                                                      const std::stop_token& stop);

 private:
  Runner(std::shared_ptr<DeviceLoop> loop, std::shared_ptr<PassQueue> passes, Asker asker,
         std::stop_token stop);

  template <class T, class What>
  Result<T> wait_for(What what, int windows_before);
  // This many windows were encoded before the last one, which decides how urgent its decode is.
  int windows_before_last() const;
  Urgency urgency(int windows_before) const;

  std::shared_ptr<DeviceLoop> loop_;
  std::shared_ptr<PassQueue> passes_;
  Asker asker_;
  bool is_ahead_ = false;
  std::stop_token stop_;
  std::atomic<int> windows_ = 0;               // that were encoded
  std::array<std::atomic<int>, 3> decoded_{};  // windows, by WindowKind
};

}  // namespace engine
