#include "engine/whisper/runner/device_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "engine/exception_error.h"

namespace engine {
namespace {

Error cancelled() {
  return {Errc::cancelled, "the transcription was cancelled", ""};
}

Places places_of(int windows) {
  if (windows == 0) return {};
  return {.windows = windows, .urgent_windows = protocol::worker::urgent_windows};
}

// The last of all places are for urgent work.
Places places_of(const MemoryPlan& plan) {
  const int urgent = std::min(protocol::worker::urgent_windows, plan.windows - 1);
  return {.windows = plan.windows - urgent, .urgent_windows = urgent, .rows = plan.rows};
}

}  // namespace

DeviceLoop::DeviceLoop(ModelLoader load, int windows)
    : windows_(windows),
      schedule_(places_of(windows), /*steps_together=*/false),
      thread_([this, load = std::move(load)](const std::stop_token& stop) { run(stop, load); }) {}

DeviceLoop::~DeviceLoop() {
  thread_.request_stop();
  thread_.join();
}

void DeviceLoop::run(const std::stop_token& stop, const ModelLoader& load) {
  if (load_model(load)) serve(stop);
  cancel_what_waits();
  model_.reset();
}

bool DeviceLoop::load_model(const ModelLoader& load) {
  Result<void> result;
  try {
    auto model = load();
    if (model) {
      take_in(std::move(*model));
    } else {
      result = model.error();
    }
  } catch (...) {
    result = error_of_current_exception("device");
  }
  const bool well = result.has_value();
  loaded_.set_value(std::move(result));
  return well;
}

void DeviceLoop::take_in(std::unique_ptr<Model> model) {
  model_ = std::move(model);
  dims_ = model_->dims();
  plan_ = model_->plan();
  short_windows_ = model_->short_windows();
  encodes_ = model_->encodes_at_once();
  if (plan_.windows > 0) {
    const Places places = places_of(plan_);
    windows_at_once_ = places.windows;
    schedule_ = Schedule(places, model_->runs_ahead());
  } else {
    Places places = places_of(windows_);
    places.rows = plan_.rows;
    places.window_positions = dims_.n_audio_ctx;
    schedule_ = Schedule(places, model_->runs_ahead());
  }
}

template <class T, class Function>
bool DeviceLoop::guarded(Answer<T>& answer, Function function) {
  try {
    function();
    return true;
  } catch (...) {
    answer.set_value(model_->error_of_exception());
  }
  return false;
}

void DeviceLoop::serve(const std::stop_token& stop) {
  bool did_something = true;
  while (!stop.stop_requested()) {
    collect(stop, !did_something);
    did_something = !live_.empty();
    schedule_.begin_round();
    has_encoded_ = false;
    while (auto work = next_piece()) {
      did_something = true;
      std::visit([&](auto& what) { start(std::move(what), work->urgency); }, work->what);
      collect(stop, false);
    }
    encode_batch();
    read_prompts();
    step();
  }
}

void DeviceLoop::cancel_what_waits() {
  for (const LivePtr& live : live_) live->answer(cancelled());
  live_.clear();
  enqueued_.clear();
  for (Piece& piece : waiting_) cancel(piece.work);
  waiting_.clear();
  inbox_->close();
}

// It may wait where the last round had nothing to do. If there are pieces all the same, they wait
// for a window to be let go, or for an urgent transcription that is between two pieces of its own.
void DeviceLoop::collect(const std::stop_token& stop, bool may_wait) {
  constexpr std::chrono::milliseconds moment{2};
  std::optional<std::chrono::milliseconds> most;
  if (!may_wait || !waiting_.empty()) most = may_wait ? moment : std::chrono::milliseconds{0};
  for (Work& work : inbox_->take(stop, most)) {
    if (!can_ever_run(work)) continue;
    waiting_.push_back({++arrived_, std::chrono::steady_clock::now(), std::move(work)});
  }
  std::erase_if(waiting_, [](Piece& piece) {
    if (!piece.work.stop.stop_requested()) return false;
    cancel(piece.work);
    return true;
  });
}

std::ptrdiff_t DeviceLoop::urgent_decodes() const {
  const auto first_other = std::ranges::find(live_, false, &Live::urgent);
  return first_other - live_.begin();
}

void DeviceLoop::start(SotLogitsWork work, const Urgency&) {
  guarded(work.answer, [&] {
    const auto read = [&] { return model_->logits(work.window, std::array{work.sot}); };
    work.answer.set_value(with_memory(usual_rows, read));
  });
}

void DeviceLoop::start(AttendWork work, const Urgency&) {
  guarded(work.answer, [&] {
    const auto read = [&] {
      return model_->attend(work.window, work.tokens, work.n_text, work.heads);
    };
    work.answer.set_value(with_memory(usual_rows, read));
  });
}

void DeviceLoop::start(DecodeWork work, const Urgency& urgency) {
  std::unique_ptr<DecodeState> state;
  const bool well = guarded(work.answer, [&] {
    if (work.stop.stop_requested()) throw Exception(cancelled());
    const ChoiceOptions& choice = work.decoding.choice();
    state = with_memory(choice.n_rows, [&] { return model_->start(work.window, choice); });
    work.window.reset();
  });
  if (!well) return;
  const bool urgent = is_urgent(urgency);
  const StepTurn turn = schedule_.begin_steps(rows_of(work), urgency.owner);
  auto live = std::make_shared<Live>(std::move(work), urgent, turn, std::move(state));
  prompts_.push_back(live);
  live_.insert(urgent ? live_.begin() + urgent_decodes() : live_.end(), std::move(live));
}

void DeviceLoop::read_prompts() {
  if (prompts_.empty()) return;
  auto decodes = std::exchange(prompts_, {});
  const auto read = [&] {
    std::erase_if(decodes, [](const LivePtr& live) { return live->answered(); });
    std::vector<Prompt> prompts;
    for (const LivePtr& live : decodes) {
      const InitialTokens& initial = live->work.decoding.initial_tokens();
      prompts.push_back({live->state.get(), initial.tokens, initial.sot_index});
    }
    return prompts.empty() ? nullptr : model_->read_prompts(prompts);
  };
  std::unique_ptr<PendingStep> step;
  try {
    step = with_memory(0, read);
  } catch (...) {
    return fail(decodes);
  }
  if (step) enqueue(std::move(step), std::move(decodes));
}

void DeviceLoop::step() {
  for (const LivePtr& live : live_) {
    if (live->work.stop.stop_requested()) live->answer(cancelled());
  }
  forget_answered();
  std::vector<LivePtr> decodes = whose_turn_it_is();
  const auto take_step = [&] {
    std::erase_if(decodes, [](const LivePtr& live) { return live->answered(); });
    std::vector<DecodeState*> states;
    for (const LivePtr& live : decodes) states.push_back(live->state.get());
    return states.empty() ? nullptr : model_->step(states);
  };
  std::unique_ptr<PendingStep> step;
  try {
    step = with_memory(0, take_step);
  } catch (...) {
    return fail_all();
  }
  if (!step) return settle(0);
  for (const LivePtr& live : decodes) --live->steps_left;
  enqueue(std::move(step), std::move(decodes));
}

// A decode that may take no more steps only waits for its outcome to be read.
std::vector<DeviceLoop::LivePtr> DeviceLoop::whose_turn_it_is() {
  const std::ptrdiff_t urgent = urgent_decodes();
  const bool all = urgent == 0 || schedule_.all_step();
  std::vector<LivePtr> decodes(live_.begin(), all ? live_.end() : live_.begin() + urgent);
  std::erase_if(decodes, [](const LivePtr& live) { return live->steps_left <= 0; });
  std::vector<StepTurn*> turns;
  for (const LivePtr& live : decodes) turns.push_back(&live->turn);
  std::vector<LivePtr> stepping;
  for (const std::size_t i : schedule_.whose_step(turns)) stepping.push_back(decodes[i]);
  return stepping;
}

void DeviceLoop::enqueue(std::unique_ptr<PendingStep> step, std::vector<LivePtr> decodes) {
  enqueued_.push_back({std::move(step), std::move(decodes)});
  settle(model_->runs_ahead() ? 1 : 0);
}

void DeviceLoop::settle(std::size_t left) {
  while (enqueued_.size() > left) {
    const Enqueued oldest = std::move(enqueued_.front());
    enqueued_.pop_front();
    if (std::ranges::all_of(oldest.decodes, &Live::answered)) continue;
    std::vector<StepOutcome> outcomes;
    try {
      outcomes = oldest.step->outcomes();
    } catch (...) {
      return fail_all();
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) oldest.decodes[i]->accept(outcomes[i]);
  }
  forget_answered();
}

void DeviceLoop::Live::accept(const StepOutcome& outcome) {
  if (answered()) return;
  try {
    if (work.decoding.accept(outcome)) answer(work.decoding.finish());
  } catch (...) {
    answer(error_of_current_exception("runner"));
  }
}

void DeviceLoop::Live::answer(Result<DecodingResult> result) {
  state.reset();
  work.answer.set_value(std::move(result));
}

// The device has failed, not one of the decodes.
void DeviceLoop::fail_all() {
  enqueued_.clear();
  fail(live_);
}

void DeviceLoop::fail(std::span<const LivePtr> decodes) {
  for (const LivePtr& live : decodes) {
    if (!live->answered()) live->answer(model_->error_of_exception());
  }
  forget_answered();
}

void DeviceLoop::forget_answered() {
  std::erase_if(live_, [](const LivePtr& live) { return live->answered(); });
  const Held now = held();
  rows_held_ = now.urgent_rows + now.other_rows;
}

}  // namespace engine
