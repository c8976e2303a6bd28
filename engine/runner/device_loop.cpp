#include "engine/runner/device_loop.h"

#include <c10/core/InferenceMode.h>

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
      dims_ = model->dims;
      model_.emplace(std::move(*model));
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
    std::erase_if(live_, [this](DecodeWork& work) { return step(work); });
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
  guarded(work.answer, [&] {
    const at::Tensor encoded = model_->encoder(work.mel.unsqueeze(0))[0];
    work.answer.set_value(
        std::make_shared<const CrossAttention>(model_->decoder.cross_attention(encoded)));
  });
}

void DeviceLoop::start(SotLogitsWork work) {
  guarded(work.answer, [&] {
    KvCache cache(model_->dims, 1, model_->placement.options());
    const at::Tensor tokens = at::full({1, 1}, work.sot, at::kLong);
    work.answer.set_value(
        model_->decoder.logits(model_->decoder(tokens, *work.window, cache)[0])[0]);
  });
}

void DeviceLoop::start(DecodeWork work) {
  live_.push_back(std::move(work));
}

bool DeviceLoop::step(DecodeWork& work) {
  bool answered = false;
  const bool well = guarded(work.answer, [&] {
    if (work.stop.stop_requested()) throw Exception(cancelled());
    if (!work.decoding.accept(work.cache ? continue_rows(work) : read_prompt(work))) return;
    work.answer.set_value(work.decoding.finish());
    answered = true;
  });
  return answered || !well;
}

// The prompt is the same for every row: it is read once and its keys and values are handed on.
at::Tensor DeviceLoop::read_prompt(DecodeWork& work) {
  const InitialTokens& initial = work.decoding.initial_tokens();
  const auto n_tokens = static_cast<std::int64_t>(initial.tokens.size());
  work.cache.emplace(model_->dims, work.decoding.n_rows(), model_->placement.options());
  const at::Tensor tokens = at::tensor(
      std::vector<std::int64_t>(initial.tokens.begin(), initial.tokens.end()), at::kLong);
  const at::Tensor x = model_->decoder(tokens.unsqueeze(0), *work.window, *work.cache)[0];
  const at::Tensor positions = at::stack({x[initial.sot_index], x[n_tokens - 1]});
  const at::Tensor logits = model_->decoder.logits(positions);
  work.decoding.read_no_speech_prob(logits[0]);
  work.cache->spread_first_row();
  return logits[1].expand({work.decoding.n_rows(), -1}).clone();
}

at::Tensor DeviceLoop::continue_rows(DecodeWork& work) {
  work.cache->reorder(work.decoding.source_rows());
  const at::Tensor tokens = at::tensor(work.decoding.next_tokens(), at::kLong).unsqueeze(1);
  return model_->decoder.logits(model_->decoder(tokens, *work.window, *work.cache).squeeze(1));
}

}  // namespace engine
