#include <c10/core/InferenceMode.h>

#include <limits>
#include <utility>

#include "engine/torch/upload.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/batched_state.h"
#include "engine/whisper/torch_model/device_step.h"
#include "engine/whisper/torch_model/prompt_batch.h"
#include "engine/whisper/torch_model/short_windows.h"
#include "engine/whisper/torch_model/window_tensor.h"

// This file has what a model that decodes in batches does before the steps: it encodes windows,
// and reads prompts.
namespace engine {

std::vector<EncodedWindow> BatchedModel::encode(std::span<const MelWindow> mels) {
  const c10::InferenceMode inference;
  const std::vector<cpu::WindowRows> rows = window_rows(mels, dims().n_audio_ctx);
  std::vector<EncodedWindow> windows(mels.size());
  for (const auto& group : encode_groups(rows, plan_.encodes)) {
    encode_group(group, mels, rows, windows);
  }
  return windows;
}

void BatchedModel::encode_group(std::span<const std::size_t> group, std::span<const MelWindow> mels,
                                std::span<const cpu::WindowRows> rows,
                                std::vector<EncodedWindow>& windows) {
  std::vector<std::int64_t> numbers;
  std::vector<at::Tensor> inputs;
  for (const std::size_t i : group) {
    inputs.push_back(window_tensor(mels[i], dims()));
    windows[i] = std::make_shared<const PooledAudio>(audio_.take(), rows[i]);
    numbers.push_back(slot_of(windows[i]));
  }
  const StepShape shape{.kind = StepKind::encode,
                        .windows = static_cast<int>(group.size()),
                        .audio_rows = encoded_rows(rows, group)};
  append_rows(rows, group, shape.audio_rows, numbers);
  upload_stacked_to(mels_, inputs);
  hand_over(std::move(numbers));
  run(shape, [this, shape] { return encode_mels(shape); });
}

// The result is in the stores. All of a slot's bias is written, since a step may read more rows of
// a short window than it has.
at::Tensor BatchedModel::encode_mels(const StepShape& shape) {
  const std::int64_t windows = shape.windows;
  const at::Tensor mels = mels_.narrow(0, 0, windows);
  const at::Tensor slots = numbers_.narrow(0, 0, windows);
  if (shape.audio_rows == 0) {
    whisper_.decoder.store_cross_attention(whisper_.encoder(mels), slots, audio_.rows());
    key_bias_.index_fill_(0, slots, 0);
    return {};
  }
  const auto parts = numbers_.narrow(0, windows, 2 * windows * shape.audio_rows)
                         .view({2, windows, shape.audio_rows});
  const ShortRows rows{parts[0], parts[1]};
  whisper_.decoder.store_cross_attention(whisper_.encoder(mels, rows), slots, audio_.rows());
  key_bias_.index_copy_(
      0, slots,
      at::constant_pad_nd(key_bias(rows), {0, key_bias_.size(1) - shape.audio_rows},
                          -std::numeric_limits<double>::infinity()));
  return {};
}

std::unique_ptr<PendingStep> BatchedModel::read_prompts(std::span<const Prompt> prompts) {
  const c10::InferenceMode inference;
  auto read = std::make_unique<DeviceStep>(prompts.size());
  for (auto& group : prompt_groups(prompts, plan_.encodes)) {
    PromptBatch batch(dims().n_text_ctx);
    ChoiceBatch choice(chooser_.nobody());
    std::vector<BegunDecode> begun;
    std::vector<int> counts;
    for (const std::size_t index : group) {
      const Prompt& prompt = prompts[index];
      BatchedState& own = batched(prompt.state);
      own.length = static_cast<int>(prompt.tokens.size());
      TORCH_CHECK(own.length <= dims().n_text_ctx, "a prompt is longer than the model's context");
      batch.add(prompt, own.slots, slot_of(own.window));
      counts.push_back(pooled(own.window).rows.count());
      choice.add(own.slots, own.options);
      begun.push_back({own.slots, own.options, own.length});
    }
    chooser_.begin(begun);
    StepShape shape = batch.shape(choice.shape());
    shape.audio_rows = read_rows(counts, dims().n_audio_ctx);
    std::vector<std::int64_t> numbers = batch.numbers(shape);
    choice.append_numbers(numbers);
    hand_over(std::move(numbers));
    const at::Tensor said = run(shape, [this, shape] { return read_and_choose(shape); });
    chooser_.allow_blanks(begun);
    read->add(std::move(choice), std::move(group), said);
  }
  return read;
}

at::Tensor BatchedModel::read_and_choose(const StepShape& shape) {
  const std::int64_t prompts = shape.windows;
  const std::int64_t behind = PromptBatch::count_numbers(shape);
  const auto parts = numbers_.narrow(0, 0, behind)
                         .split_with_sizes({prompts * shape.length, prompts, prompts,
                                            prompts + shape.choice.rows, shape.rows, shape.rows});
  const at::Tensor logits = whisper_.decoder.read_prompts(
      {parts[0].view({prompts, shape.length}), parts[1], parts[2], parts[3], history_.tensor(),
       audio_rows(shape), audio_bias(shape)});
  if (shape.rows > 0) history_.move(parts[4], parts[5], shape.length);
  return chooser_
      .choose(logits.narrow(0, prompts, shape.choice.rows), shape.choice,
              choice_numbers(shape.choice, behind), logits.narrow(0, 0, prompts))
      .said;
}

}  // namespace engine
