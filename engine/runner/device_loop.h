#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
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
  std::unique_ptr<DecodeState> state;  // from the prompt on
  Answer<DecodingResult> answer;
};

using Work = std::variant<EncodeWork, SotLogitsWork, AttendWork, DecodeWork>;

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
  void start(AttendWork work);
  // Reads the prompt, which gives every row its first token.
  void start(DecodeWork work);
  // One more token for every row of every decode, together.
  void step();
  // Hands a decode its logits. True when it has been answered.
  bool accept(DecodeWork& work, at::Tensor logits);

  ModelDims dims_;  // set before loaded_ is
  std::promise<Result<void>> loaded_;
  std::unique_ptr<Model> model_;  // the device thread's own
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Work> arrivals_;     // guarded by mutex_
  bool stopped_ = false;          // guarded by mutex_
  std::vector<DecodeWork> live_;  // the device thread's own
  std::jthread thread_;           // last: it uses all of the above
};

}  // namespace engine
