#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

#include "engine/runner/runner.h"

namespace engine {

template <class T>
using Answer = std::promise<Result<T>>;

// What callers wait for. Work is moved to the device thread, which answers it exactly once.
struct EncodeWork {
  at::Tensor mel;
  Answer<EncodedWindow> answer;
};

struct SotLogitsWork {
  EncodedWindow window;
  int sot = 0;
  Answer<at::Tensor> answer;
};

struct DecodeWork {
  EncodedWindow window;
  WindowDecoding decoding;
  std::stop_token stop;
  std::optional<KvCache> cache;  // from the prompt on
  Answer<DecodingResult> answer;
};

using Work = std::variant<EncodeWork, SotLogitsWork, DecodeWork>;

// The device thread: it opens the device, loads the model, runs it, drops it and gives the device's
// memory back. Between two steps of the decodes it takes new work, so encodes and prompts come in
// as they arrive. The queue is bounded by the callers: each waits for its one piece of work.
class DeviceLoop {
 public:
  DeviceLoop(DeviceOptions options, ModelLoader load);
  ~DeviceLoop();

  // Once, before the first work.
  Result<void> wait_until_loaded() { return loaded_.get_future().get(); }
  const ModelDims& dims() const { return dims_; }

  void submit(Work work);

 private:
  void run(const std::stop_token& stop, const DeviceOptions& options, const ModelLoader& load);
  // True when there is a model.
  bool load_model(const DeviceOptions& options, const ModelLoader& load);
  void serve(const std::stop_token& stop);
  void cancel_what_waits();
  // Blocks for new work only while no decode is under way.
  std::deque<Work> take_new_work(const std::stop_token& stop);

  void start(EncodeWork work);
  void start(SotLogitsWork work);
  void start(DecodeWork work);
  // One token for every row of this decode, the first of them from the prompt. True when it has
  // been answered.
  bool step(DecodeWork& work);
  at::Tensor read_prompt(DecodeWork& work);
  at::Tensor continue_rows(DecodeWork& work);

  ModelDims dims_;  // set before loaded_ is
  std::promise<Result<void>> loaded_;
  std::optional<Whisper> model_;  // the device thread's own
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Work> arrivals_;     // guarded by mutex_
  bool stopped_ = false;          // guarded by mutex_
  std::vector<DecodeWork> live_;  // the device thread's own
  std::jthread thread_;           // last: it uses all of the above
};

}  // namespace engine
