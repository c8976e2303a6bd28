#include "engine/whisper/runner/device_loop.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "engine/torch/exception_error.h"

namespace engine {
namespace {

Error cancelled() {
  return {Errc::cancelled, "the transcription was cancelled", ""};
}

// Calls `function`; what it throws becomes the answer's error. Returns true when it went well.
template <class T, class Function>
bool guarded(Answer<T>& answer, Function function) {
  try {
    function();
    return true;
  } catch (...) {
    answer.set_value(error_of_current_exception("runner"));
  }
  return false;
}

}  // namespace

DeviceLoop::DeviceLoop(DeviceOptions options, ModelLoader load, int windows)
    : schedule_(windows, !options.device.is_cpu()),
      thread_([this, options, load = std::move(load)](const std::stop_token& stop) {
        run(stop, options, load);
      }) {}

DeviceLoop::~DeviceLoop() {
  thread_.request_stop();
  thread_.join();
}

void DeviceLoop::run(const std::stop_token& stop, const DeviceOptions& options,
                     const ModelLoader& load) {
  const c10::InferenceMode inference;
  if (load_model(options, load)) serve(stop);
  cancel_what_waits();
  model_.reset();
  release_device_memory(options.device);
}

bool DeviceLoop::load_model(const DeviceOptions& options, const ModelLoader& load) {
  Result<void> result;
  try {
    open_device(options);
    auto model = load();
    if (model) {
      dims_ = (*model)->dims();
      model_ = std::move(*model);
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

void DeviceLoop::serve(const std::stop_token& stop) {
  bool did_something = true;
  while (!stop.stop_requested()) {
    collect(stop, !did_something);
    did_something = !live_.empty();
    schedule_.begin_round();
    while (auto work = next_piece()) {
      did_something = true;
      const bool urgent = is_urgent(work->urgency);
      std::visit([&](auto& what) { start(std::move(what), urgent); }, work->what);
      collect(stop, false);
    }
    step();
  }
}

void DeviceLoop::cancel_what_waits() {
  for (DecodeWork& work : live_) work.answer.set_value(cancelled());
  live_.clear();
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
  for (Work& work : inbox_->take(stop, most)) waiting_.push_back({++arrived_, std::move(work)});
  std::erase_if(waiting_, [](Piece& piece) {
    if (!piece.work.stop.stop_requested()) return false;
    cancel(piece.work);
    return true;
  });
}

std::optional<Work> DeviceLoop::next_piece() {
  std::vector<WaitingPiece> pieces;
  for (const Piece& piece : waiting_) {
    pieces.push_back(
        {piece.number, piece.work.urgency, std::holds_alternative<EncodeWork>(piece.work.what)});
  }
  const auto next = schedule_.next(pieces, inbox_->held(), urgent_decodes() > 0);
  if (!next) return std::nullopt;
  const auto place = waiting_.begin() + static_cast<std::ptrdiff_t>(*next);
  Work work = std::move(place->work);
  waiting_.erase(place);
  return work;
}

std::size_t DeviceLoop::urgent_decodes() const {
  const auto first_other = std::ranges::find(live_, false, &DecodeWork::urgent);
  return static_cast<std::size_t>(first_other - live_.begin());
}

void DeviceLoop::start(EncodeWork work, bool urgent) {
  guarded(work.answer,
          [&] { work.answer.set_value(inbox_->hold(model_->encode(work.mel), urgent)); });
}

void DeviceLoop::start(SotLogitsWork work, bool) {
  guarded(work.answer, [&] {
    const auto state = model_->start(std::move(work.window), 1);
    work.answer.set_value(model_->read_prompt(*state, std::array{work.sot}, std::array{0})[0]);
  });
}

void DeviceLoop::start(AttendWork work, bool) {
  guarded(work.answer, [&] {
    work.answer.set_value(model_->attend(work.window, work.tokens, work.n_text, work.heads));
  });
}

void DeviceLoop::start(DecodeWork work, bool urgent) {
  const InitialTokens& initial = work.decoding.initial_tokens();
  at::Tensor logits;
  const bool well = guarded(work.answer, [&] {
    if (work.stop.stop_requested()) throw Exception(cancelled());
    work.state = model_->start(work.window, work.decoding.n_rows());
    const std::array positions{initial.sot_index, static_cast<int>(initial.tokens.size()) - 1};
    const at::Tensor found = model_->read_prompt(*work.state, initial.tokens, positions);
    work.decoding.read_no_speech_prob(found[0]);
    logits = found[1].expand({work.decoding.n_rows(), -1}).clone();
  });
  if (!well || accept(work, std::move(logits))) return;
  work.urgent = urgent;
  const auto place =
      urgent ? live_.begin() + static_cast<std::ptrdiff_t>(urgent_decodes()) : live_.end();
  live_.insert(place, std::move(work));
}

void DeviceLoop::step() {
  std::erase_if(live_, [](DecodeWork& work) {
    if (!work.stop.stop_requested()) return false;
    work.answer.set_value(cancelled());
    return true;
  });
  const std::size_t urgent = urgent_decodes();
  const std::size_t count = urgent == 0 || schedule_.all_step() ? live_.size() : urgent;
  if (count == 0) return;
  std::vector<DecodeStep> steps;
  for (const DecodeWork& work : std::span(live_).first(count)) {
    steps.push_back({work.state.get(), work.decoding.next_tokens(), work.decoding.source_rows()});
  }
  try {
    const at::Tensor logits = model_->step(steps);
    std::vector<bool> answered(live_.size());
    std::int64_t row = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t first = row;
      row += live_[i].decoding.n_rows();
      answered[i] = accept(live_[i], logits.slice(0, first, row));
    }
    std::size_t index = 0;
    std::erase_if(live_, [&](const DecodeWork&) { return answered[index++]; });
  } catch (...) {
    // The device has failed, not one of the decodes.
    for (DecodeWork& work : std::exchange(live_, {})) {
      work.answer.set_value(error_of_current_exception("runner"));
    }
  }
}

bool DeviceLoop::accept(DecodeWork& work, at::Tensor logits) {
  bool answered = false;
  const bool well = guarded(work.answer, [&] {
    if (!work.decoding.accept(std::move(logits))) return;
    work.answer.set_value(work.decoding.finish());
    answered = true;
  });
  return answered || !well;
}

}  // namespace engine
