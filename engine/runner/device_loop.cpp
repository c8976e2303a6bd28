#include "engine/runner/device_loop.h"

#include <c10/core/InferenceMode.h>

#include <array>
#include <utility>

#include "engine/model/exception_error.h"

namespace engine {
namespace {

Error cancelled() {
  return {Errc::cancelled, "the transcription was cancelled", ""};
}

// Calls `function`; what it throws becomes the answer's error. True when it went well.
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

DeviceLoop::DeviceLoop(DeviceOptions options, ModelLoader load)
    : thread_([this, options, load = std::move(load)](const std::stop_token& stop) {
        run(stop, options, load);
      }) {}

DeviceLoop::~DeviceLoop() {
  thread_.request_stop();
  thread_.join();
}

void DeviceLoop::submit(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) {
      arrivals_.push_back(std::move(work));
      arrived_.notify_one();
      return;
    }
  }
  std::visit([](auto& late) { late.answer.set_value(cancelled()); }, work);
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
  while (!stop.stop_requested()) {
    for (Work& work : take_new_work(stop)) {
      std::visit([this](auto& concrete) { start(std::move(concrete)); }, work);
    }
    if (!live_.empty()) step();
  }
}

void DeviceLoop::cancel_what_waits() {
  for (DecodeWork& work : live_) work.answer.set_value(cancelled());
  live_.clear();
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (Work& work : std::exchange(arrivals_, {})) {
    std::visit([](auto& late) { late.answer.set_value(cancelled()); }, work);
  }
}

std::deque<Work> DeviceLoop::take_new_work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (live_.empty()) arrived_.wait(lock, stop, [this] { return !arrivals_.empty(); });
  return std::exchange(arrivals_, {});
}

void DeviceLoop::start(EncodeWork work) {
  guarded(work.answer, [&] { work.answer.set_value(model_->encode(work.mel)); });
}

void DeviceLoop::start(SotLogitsWork work) {
  guarded(work.answer, [&] {
    const auto state = model_->start(std::move(work.window), 1);
    work.answer.set_value(model_->read_prompt(*state, std::array{work.sot}, std::array{0})[0]);
  });
}

void DeviceLoop::start(AttendWork work) {
  guarded(work.answer, [&] {
    work.answer.set_value(model_->attend(work.window, work.tokens, work.n_text, work.heads));
  });
}

void DeviceLoop::start(DecodeWork work) {
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
  if (well && !accept(work, std::move(logits))) live_.push_back(std::move(work));
}

void DeviceLoop::step() {
  std::erase_if(live_, [](DecodeWork& work) {
    if (!work.stop.stop_requested()) return false;
    work.answer.set_value(cancelled());
    return true;
  });
  std::vector<DecodeStep> steps;
  for (const DecodeWork& work : live_) {
    steps.push_back({work.state.get(), work.decoding.next_tokens(), work.decoding.source_rows()});
  }
  if (steps.empty()) return;
  try {
    const at::Tensor logits = model_->step(steps);
    std::int64_t row = 0;
    std::erase_if(live_, [&](DecodeWork& work) {
      const std::int64_t first = row;
      row += work.decoding.n_rows();
      return accept(work, logits.slice(0, first, row));
    });
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
