#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

#include "engine/schedule/schedule.h"
#include "engine/whisper/decoding/window_decoding.h"
#include "engine/whisper/model/model.h"

namespace engine {

template <class T>
using Answer = std::promise<Result<T>>;

// The work that callers wait for. It is moved to the device thread, which answers it exactly once.
struct EncodeWork {
  MelWindow mel;
  Answer<EncodedWindow> answer;
};

struct SotLogitsWork {
  EncodedWindow window;
  int sot = 0;
  Answer<std::vector<float>> answer;
};

struct AttendWork {
  EncodedWindow window;
  std::vector<int> tokens;
  int n_text = 0;
  std::vector<std::pair<int, int>> heads;
  Answer<TokenAttention> answer;
};

struct DecodeWork {
  EncodedWindow window;
  WindowDecoding decoding;
  std::stop_token stop;
  Answer<DecodingResult> answer;
};

// Returns the beams or samples that it decodes side by side.
int rows_of(const DecodeWork& work);

struct Work {
  Urgency urgency;
  std::stop_token stop;  // before it has begun
  std::variant<EncodeWork, SotLogitsWork, AttendWork, DecodeWork> what;
};

// Counts a window among those that are held.
//   count  1, or -1 for one that was let go
void count_window(Held& held, const Urgency& urgency, int spared, int count);

// Ends work that has not begun.
void cancel(Work& work);

// Takes the callers' work, and counts the windows that they hold. Those windows share it and may
// outlive the device thread. Any thread may call it.
class Inbox : public std::enable_shared_from_this<Inbox> {
 public:
  void put(Work work);

  // Returns what came since the last call. Where there is nothing it waits for as long as `most`,
  // or without one until something comes; it does not wait on after a window was let go, nor after
  // `stop`.
  std::deque<Work> take(const std::stop_token& stop, std::optional<std::chrono::milliseconds> most);
  // Cancels what came and is not taken, and what comes later.
  void close();

  // Returns the windows that are held, without rows.
  Held held() const;
  // Returns the same window, which counts as held until its last owner lets go.
  //   spared  positions that it leaves free of its place
  EncodedWindow hold(EncodedWindow window, const Urgency& urgency, int spared);

 private:
  struct Place;

  void let_go(const Urgency& urgency, int spared);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Work> arrivals_;
  Held held_;
  bool let_go_ = false;  // a window, since the last take()
  bool closed_ = false;
};

}  // namespace engine
