#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "engine/torch/device.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/batched_state.h"
#include "engine/whisper/torch_model/device_step.h"
#include "engine/whisper/torch_model/short_windows.h"
#include "engine/whisper/torch_model/try_kernels.h"

// This file has the steps of a model that decodes in batches, on fused kernels or without.
namespace engine {

std::unique_ptr<PendingStep> BatchedModel::step(std::span<DecodeState* const> states) {
  const c10::InferenceMode inference;
  std::vector<StepRow> rows;
  ChoiceBatch choice(chooser_.nobody());
  std::vector<std::size_t> places;
  std::vector<int> counts;
  for (DecodeState* state : states) {
    BatchedState& own = batched(state);
    for (const int slot : own.slots) rows.push_back({slot, slot_of(own.window), own.length});
    choice.add(own.slots, own.options);
    counts.push_back(pooled(own.window).rows.count());
    places.push_back(places.size());
    ++own.length;
  }
  const bool fused = std::ssize(rows) <= use_.most_rows;
  StepBatch batch = fused ? fused_batch_of(rows, limits()) : batch_of(rows, limits());
  batch.shape.audio_rows = read_rows(counts, dims().n_audio_ctx);
  batch.shape.choice = choice.shape();
  choice.append_numbers(batch.numbers);
  hand_over(std::move(batch.numbers));
  auto step = std::make_unique<DeviceStep>(states.size());
  step->add(std::move(choice), std::move(places),
            run(batch.shape, [this, shape = batch.shape] { return decode_and_choose(shape); }));
  return step;
}

at::Tensor BatchedModel::choice_numbers(const ChoiceShape& shape, std::int64_t behind) const {
  return numbers_.narrow(0, behind, ChoiceBatch::count_numbers(shape));
}

at::Tensor BatchedModel::decode_and_choose(const StepShape& shape) {
  const at::Tensor logits = decode(shape);
  const at::Tensor numbers = choice_numbers(shape.choice, count_numbers(shape));
  if (use_.chooses && DeviceChooser::kernels_can(shape.choice)) {
    const DeviceChoice choice = chooser_.choose(*kernels_, logits, shape.choice, numbers);
    if (choice.from.defined()) {
      kernels_->move_beams(
          {history_.tensor(), choice.from, choice.to, shape.choice.beam_size, shape.length});
    }
    return choice.said;
  }
  const DeviceChoice choice = chooser_.choose(logits, shape.choice, numbers);
  if (choice.from.defined()) history_.move(choice.from, choice.to, shape.length);
  return choice.said;
}

at::Tensor BatchedModel::decode(const StepShape& shape) const {
  const at::Tensor numbers = numbers_.narrow(0, 0, count_numbers(shape));
  if (is_fused(shape)) {
    const at::Tensor slots = numbers.narrow(0, 0, shape.rows);
    return fused_->step({chooser_.table(), slots, numbers.narrow(0, shape.rows, shape.rows),
                         shape.length, history_.tensor(), audio_rows(shape), audio_bias(shape)});
  }
  const std::int64_t queries = std::int64_t{shape.windows} * shape.rows_per_window;
  const auto parts = numbers.split_with_sizes({queries, shape.rows});
  const at::Tensor wanted = numbers_.narrow(0, count_numbers(shape), shape.choice.rows)
                                .clamp_max(shape.rows - 1);  // nobody's are any
  return whisper_.decoder.step({chooser_.tokens().narrow(0, 0, shape.rows),
                                chooser_.positions().narrow(0, 0, shape.rows), parts[0], parts[1],
                                wanted, shape.windows, shape.length, history_.tensor(),
                                audio_rows(shape), audio_bias(shape), kernels_.get()});
}

void BatchedModel::keep_faster_kernels() {
  if (use_.most_rows == 0) return;
  use_ = keep_faster(use_, [this](int rows, bool fused) { return time_step(rows, fused); });
  if (graphs_) graphs_->forget();
  if (use_.most_rows == 0) fused_.reset();
}

double BatchedModel::time_step(int rows, bool fused) {
  constexpr int times = 5;
  constexpr int steps = 4;
  std::vector<StepRow> places;
  ChoiceBatch choice(chooser_.nobody());
  for (int slot = 0; slot < rows; ++slot) {
    places.push_back({.slot = slot, .window = slot % plan_.windows, .position = 0});
    choice.add(std::array{slot}, ChoiceOptions{});
  }
  StepBatch batch = fused ? fused_batch_of(places, limits()) : batch_of(places, limits());
  batch.shape.choice = choice.shape();
  choice.append_numbers(batch.numbers);
  hand_over(std::move(batch.numbers));
  const auto step = [&] {
    run(batch.shape, [this, shape = batch.shape] { return decode(shape); });
  };
  step();  // which is recorded, and chooses kernels
  wait_for_device(whisper_.placement.device);
  double shortest = 0;
  for (int i = 0; i < times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int j = 0; j < steps; ++j) step();
    wait_for_device(whisper_.placement.device);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (i == 0 || took.count() < shortest) shortest = took.count();
  }
  return shortest / steps;
}

}  // namespace engine
