#pragma once

#include <memory>
#include <optional>
#include <thread>

#include "engine/whisper/runner/inbox.h"
#include "engine/whisper/runner/runner.h"

namespace engine {

// The device thread: it opens the device, loads the model, runs it, drops it and gives the device's
// memory back. Between two steps of the decodes it takes new work, in the order of the schedule.
// What waits is bounded by the callers: each waits for its one piece of work.
class DeviceLoop {
 public:
  DeviceLoop(DeviceOptions options, ModelLoader load, int windows);
  ~DeviceLoop();

  // Waits for the model; to be called once, before the first work.
  Result<void> wait_until_loaded() { return loaded_.get_future().get(); }
  const ModelDims& dims() const { return dims_; }

  void submit(Work work) { inbox_->put(std::move(work)); }

 private:
  struct Piece {
    std::uint64_t number = 0;
    Work work;
  };

  void run(const std::stop_token& stop, const DeviceOptions& options, const ModelLoader& load);
  // Returns true when there is a model.
  bool load_model(const DeviceOptions& options, const ModelLoader& load);
  void serve(const std::stop_token& stop);
  void cancel_what_waits();
  void collect(const std::stop_token& stop, bool may_wait);
  // Returns the piece that the schedule puts next, or nothing when it is time for a step.
  std::optional<Work> next_piece();
  // Returns the decodes that are urgent, which are the first.
  std::size_t urgent_decodes() const;

  void start(EncodeWork work, bool urgent);
  void start(SotLogitsWork work, bool urgent);
  void start(AttendWork work, bool urgent);
  // Reads the prompt, which gives every row its first token.
  void start(DecodeWork work, bool urgent);
  // Runs one more token for every row of the decodes whose turn it is, together.
  void step();
  // Hands a decode its logits. Returns true when it has been answered.
  bool accept(DecodeWork& work, at::Tensor logits);

  ModelDims dims_;  // set before loaded_ is
  std::promise<Result<void>> loaded_;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  // Only the device thread uses the members below.
  std::unique_ptr<Model> model_;
  Schedule schedule_;
  std::deque<Piece> waiting_;  // in the order of arrival
  std::uint64_t arrived_ = 0;
  std::vector<DecodeWork> live_;  // urgent ones first
  std::jthread thread_;           // last: it uses all of the above
};

}  // namespace engine
