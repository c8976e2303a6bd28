#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/whisper/runner/inbox.h"
#include "engine/whisper/runner/runner.h"
#include "protocol/worker_contract.h"

namespace engine {

// The device thread: it loads the model, runs it and drops it. Between two steps of the decodes it
// takes new work, in the order of the schedule. It runs one ahead where steps are only enqueued: it
// reads what a step chose while the device does the next one, so that the device never waits for
// it; a decode that proves to have ended has had one step too many, whose outcome nobody reads.
// What waits is bounded by the callers: each waits for its one piece of work.
class DeviceLoop {
 public:
  DeviceLoop(ModelLoader load, int windows);
  ~DeviceLoop();

  // Waits for the model; to be called once, before the first work.
  Result<void> wait_until_loaded() { return loaded_.get_future().get(); }
  const ModelDims& dims() const { return dims_; }
  // Returns how many windows one recording may have under way, beside those of others.
  int windows_at_once() const { return windows_at_once_; }
  const MemoryPlan& plan() const { return plan_; }
  ShortWindows short_windows() const { return short_windows_; }
  void shorten_windows() { short_windows_ = ShortWindows::by_default; }
  // Returns what of the device is in use. Any thread may ask.
  protocol::DeviceUse use() const;

  void submit(Work work) { inbox_->put(std::move(work)); }

 private:
  struct Piece {
    std::uint64_t number = 0;
    std::chrono::steady_clock::time_point arrived;
    Work work;
  };

  // A window of the next batch.
  struct Encoding {
    EncodeWork work;
    Urgency urgency;
  };

  // A decode that is under way, until it has been answered.
  struct Live {
    Live(DecodeWork begun, bool is_urgent, StepTurn first, std::unique_ptr<DecodeState> rows)
        : work(std::move(begun)),
          urgent(is_urgent),
          steps_left(work.decoding.most_steps()),
          turn(first),
          state(std::move(rows)) {}
    void accept(const StepOutcome& outcome);
    void answer(Result<DecodingResult> result);
    bool answered() const { return state == nullptr; }

    DecodeWork work;
    bool urgent;
    int steps_left;  // that it may still take
    StepTurn turn;
    std::unique_ptr<DecodeState> state;
  };
  using LivePtr = std::shared_ptr<Live>;

  // A step, or prompts, whose outcomes nobody has read.
  struct Enqueued {
    std::unique_ptr<PendingStep> step;
    std::vector<LivePtr> decodes;
  };

  void run(const std::stop_token& stop, const ModelLoader& load);
  // Returns true when there is a model.
  bool load_model(const ModelLoader& load);
  void take_in(std::unique_ptr<Model> model);
  // Calls `function`; what it throws becomes the answer's error. Returns true when it went well.
  template <class T, class Function>
  bool guarded(Answer<T>& answer, Function function);
  void serve(const std::stop_token& stop);
  void cancel_what_waits();
  void collect(const std::stop_token& stop, bool may_wait);
  // Returns false for a decode that needs more rows than the device has; it has been answered.
  bool can_ever_run(Work& work) const;
  // Returns the piece that the schedule puts next, or nothing when it is time for a step.
  std::optional<Work> next_piece();
  bool may_encode() const;
  // Returns how many positions of a window's place such a window leaves free.
  int spared_by(const MelWindow& mel) const;
  Held held() const;
  // Returns the decodes that are urgent, which are the first.
  std::ptrdiff_t urgent_decodes() const;

  // Adds the window to this round's batch, which is encoded when it is full or nothing else begins.
  // An urgent window is encoded at once, alone, if the model encodes urgent ones one by one.
  void start(EncodeWork work, const Urgency& urgency);
  void encode_batch();
  void encode(std::span<Encoding> batch);
  void start(SotLogitsWork work, const Urgency& urgency);
  void start(AttendWork work, const Urgency& urgency);
  // Begins a decode, whose prompt is read with the others of this round.
  void start(DecodeWork work, const Urgency& urgency);
  void read_prompts();
  // Runs one more token for every row of the decodes whose turn it is, together.
  void step();
  std::vector<LivePtr> whose_turn_it_is();
  void enqueue(std::unique_ptr<PendingStep> step, std::vector<LivePtr> decodes);
  // Reads what was chosen, until so many steps are left that nobody has read.
  void settle(std::size_t left);
  // Answer with the exception that is being handled.
  void fail_all();
  // Calls `function` until it has its memory: while it lacks some, the decode that has most rows
  // ends as the one that took it, if it has more than `rows`. Throws what is left.
  template <class Function>
  auto with_memory(int rows, Function function) {
    while (true) {
      try {
        return function();
      } catch (...) {
        if (!make_room(rows)) throw;
      }
    }
  }
  // Frees memory after the exception that is being handled. Returns whether the call that has
  // thrown it may be made again.
  bool make_room(int rows);
  void fail(std::span<const LivePtr> decodes);
  void forget_answered();

  int windows_;  // that may be held, where the model's plan says nothing of them; 0: any number
  // These five are set before loaded_ is.
  ModelDims dims_;
  MemoryPlan plan_;
  std::atomic<ShortWindows> short_windows_ = ShortWindows::unsupported;
  int encodes_ = 1;  // windows of a batch
  int windows_at_once_ = protocol::worker::parallel_windows;
  std::promise<Result<void>> loaded_;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  // Only the device thread uses the members below.
  std::unique_ptr<Model> model_;
  Schedule schedule_;
  std::deque<Piece> waiting_;  // in the order of arrival
  std::uint64_t arrived_ = 0;
  std::vector<Encoding> batch_;     // of this round
  bool has_encoded_ = false;        // a batch in this round
  std::atomic<int> rows_held_ = 0;  // any thread reads it
  std::vector<LivePtr> live_;       // urgent ones first
  std::vector<LivePtr> prompts_;    // those whose prompts are not read yet
  std::deque<Enqueued> enqueued_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace engine
