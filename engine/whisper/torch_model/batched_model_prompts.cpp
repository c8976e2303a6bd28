#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/torch/upload.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/batched_state.h"
#include "engine/whisper/torch_model/device_step.h"
#include "engine/whisper/torch_model/prompt_batch.h"
#include "engine/whisper/torch_model/window_tensor.h"

// This file has what a model that decodes in batches does before the steps: it encodes windows,
// and reads prompts.
namespace engine {

// Sizes that are powers of two are few shapes. Thirteen windows are encoded as eight, four and one:
// a window that fills up a batch would take as long as a real one.
std::vector<EncodedWindow> BatchedModel::encode(std::span<const MelWindow> mels) {
  const c10::InferenceMode inference;
  std::vector<EncodedWindow> windows;
  while (!mels.empty()) {
    const auto most = static_cast<std::size_t>(plan_.encodes);
    const std::size_t size = std::bit_floor(std::min(mels.size(), most));
    encode_batch(mels.first(size), windows);
    mels = mels.subspan(size);
  }
  return windows;
}

void BatchedModel::encode_batch(std::span<const MelWindow> mels,
                                std::vector<EncodedWindow>& windows) {
  std::vector<std::int64_t> slots;
  std::vector<at::Tensor> inputs;
  for (const MelWindow& mel : mels) {
    inputs.push_back(window_tensor(mel, dims()));
    windows.push_back(std::make_shared<const PooledAudio>(audio_.take()));
    slots.push_back(slot_of(windows.back()));
  }
  upload_stacked_to(mels_, inputs);
  hand_over(std::move(slots));
  const StepShape shape{.kind = StepKind::encode, .windows = static_cast<int>(mels.size())};
  run(shape, [this, shape] { return encode_mels(shape); });
}

// The result is in the store.
at::Tensor BatchedModel::encode_mels(const StepShape& shape) {
  whisper_.decoder.store_cross_attention(whisper_.encoder(mels_.narrow(0, 0, shape.windows)),
                                         numbers_.narrow(0, 0, shape.windows), audio_.rows());
  return {};
}

std::unique_ptr<PendingStep> BatchedModel::read_prompts(std::span<const Prompt> prompts) {
  const c10::InferenceMode inference;
  auto read = std::make_unique<DeviceStep>(prompts.size());
  for (auto& group : prompt_groups(prompts, plan_.encodes)) {
    PromptBatch batch(dims().n_text_ctx);
    ChoiceBatch choice(chooser_.nobody());
    std::vector<BegunDecode> begun;
    for (const std::size_t index : group) {
      const Prompt& prompt = prompts[index];
      BatchedState& own = batched(prompt.state);
      own.length = static_cast<int>(prompt.tokens.size());
      TORCH_CHECK(own.length <= dims().n_text_ctx, "a prompt is longer than the model's context");
      batch.add(prompt, own.slots, slot_of(own.window));
      choice.add(own.slots, own.options);
      begun.push_back({own.slots, own.options, own.length});
    }
    chooser_.begin(begun);
    const StepShape shape = batch.shape(choice.shape());
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
  const at::Tensor logits =
      whisper_.decoder.read_prompts({parts[0].view({prompts, shape.length}), parts[1], parts[2],
                                     parts[3], history_.tensor(), audio_.rows()});
  if (shape.rows > 0) history_.move(parts[4], parts[5], shape.length);
  return chooser_
      .choose(logits.narrow(0, prompts, shape.choice.rows), shape.choice,
              choice_numbers(shape.choice, behind), logits.narrow(0, 0, prompts))
      .said;
}

}  // namespace engine
