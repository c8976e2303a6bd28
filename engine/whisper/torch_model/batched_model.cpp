#include "engine/whisper/torch_model/batched_model.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "engine/torch/torch_error.h"
#include "engine/torch/upload.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/attend.h"
#include "engine/whisper/torch_model/attention.h"
#include "engine/whisper/torch_model/batched_state.h"
#include "engine/whisper/torch_model/device_step.h"
#include "engine/whisper/torch_model/host_logits.h"
#include "engine/whisper/torch_model/prompt_batch.h"
#include "engine/whisper/torch_model/try_kernels.h"
#include "engine/whisper/torch_model/window_tensor.h"

namespace engine {
BatchedModel::BatchedModel(Whisper whisper, StepTools tools, ModelStores stores, KernelUse use)
    : whisper_(std::move(whisper)),
      specials_(special_tokens(dims().n_vocab).value()),
      graphs_(std::move(tools.graphs)),
      kernels_(std::move(tools.kernels)),
      use_(std::move(use)),
      plan_(stores.plan),
      history_(std::move(stores.history)),
      audio_(std::move(stores.audio)),
      chooser_(specials_, plan_.rows, dims().n_text_ctx, whisper_.placement.device),
      numbers_(at::zeros({most_numbers(limits()) + ChoiceBatch::most_numbers(plan_.rows)},
                         at::TensorOptions(whisper_.placement.device).dtype(at::kLong))) {
  if (use_.most_rows > 0) {
    fused_.emplace(*kernels_, whisper_.decoder.fused_weights());
  }
}

StepLimits BatchedModel::limits() const {
  return {plan_.rows, plan_.windows, dims().n_text_ctx};
}

std::optional<GraphState> BatchedModel::graphs() const {
  if (!graphs_) return std::nullopt;
  return graphs_->state();
}

std::vector<EncodedWindow> BatchedModel::encode(std::span<const MelWindow> mels) {
  const c10::InferenceMode inference;
  std::vector<EncodedWindow> windows;
  std::vector<std::int64_t> slots;
  std::vector<at::Tensor> inputs;
  for (const MelWindow& mel : mels) {
    inputs.push_back(window_tensor(mel, dims()));
    windows.push_back(std::make_shared<const PooledAudio>(audio_.take()));
    slots.push_back(slot_of(windows.back()));
  }
  const at::Tensor encoded = whisper_.encoder(
      upload_stacked(inputs, whisper_.placement.device).to(scalar_type(whisper_.placement.type)));
  whisper_.decoder.store_cross_attention(encoded, on_device(slots), audio_.tensor());
  return windows;
}

CrossAttention BatchedModel::audio_of(const EncodedWindow& window) const {
  CrossAttention result;
  for (const at::Tensor& layer : audio_.slot(slot_of(window)).unbind()) {
    result.keys.push_back(layer[0].transpose(1, 2));
    result.values.push_back(layer[1]);
  }
  return result;
}

std::unique_ptr<DecodeState> BatchedModel::start(EncodedWindow window,
                                                 const ChoiceOptions& options) {
  const c10::InferenceMode inference;
  auto state = std::make_unique<BatchedState>(std::move(window), options);
  for (int row = 0; row < options.n_rows; ++row) {
    state->owned.push_back(history_.take());
    const int slot = state->owned.back().index();
    history_.clear(slot);
    state->slots.push_back(slot);
  }
  return state;
}

std::unique_ptr<PendingStep> BatchedModel::read_prompts(std::span<const Prompt> prompts) {
  const c10::InferenceMode inference;
  auto read = std::make_unique<DeviceStep>(prompts.size());
  for (auto& group : prompt_groups(prompts, plan_.encodes)) {
    std::ranges::sort(group, {}, [&](std::size_t index) {
      return slot_of(batched(prompts[index].state).window);
    });
    std::vector<const Prompt*> parts;
    ChoiceBatch batch(chooser_.nobody());
    for (const std::size_t index : group) {
      parts.push_back(&prompts[index]);
      const BatchedState& own = batched(parts.back()->state);
      batch.add(own.slots, own.options);
    }
    const at::Tensor said = choose_first(parts, batch, read_batch(parts));
    read->add(std::move(batch), std::move(group), said);
  }
  return read;
}

at::Tensor BatchedModel::choose_first(std::span<const Prompt* const> prompts,
                                      const ChoiceBatch& batch, const at::Tensor& logits) {
  std::vector<std::int64_t> numbers;
  batch.append_numbers(numbers);
  const at::Tensor numbers_there = on_device(numbers);
  std::vector<std::int64_t> sots, lasts;
  for (const Prompt* prompt : prompts) {
    const BatchedState& own = batched(prompt->state);
    chooser_.begin(own.slots, own.options, own.length);
    sots.push_back(2 * std::ssize(sots));
    lasts.insert(lasts.end(), own.slots.size(), sots.back() + 1);
  }
  const ChoiceShape shape = batch.shape();
  lasts.resize(static_cast<std::size_t>(shape.rows));
  const DeviceChoice choice =
      chooser_.choose(logits.index_select(0, on_device(lasts)), shape, numbers_there,
                      logits.index_select(0, on_device(sots)));
  for (const Prompt* prompt : prompts) {
    const BatchedState& own = batched(prompt->state);
    chooser_.allow_blanks(own.slots, own.options);
  }
  return choice.said;
}

at::Tensor BatchedModel::read_batch(std::span<const Prompt* const> prompts) {
  PromptBatch batch;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  for (const Prompt* prompt : prompts) {
    BatchedState& own = batched(prompt->state);
    batch.add(*prompt, own.slots[0], slot_of(own.window));
    own.length = static_cast<int>(prompt->tokens.size());
    for (const int slot : own.slots) {
      if (slot == own.slots[0]) continue;
      from.push_back(own.slots[0]);
      to.push_back(slot);
    }
  }
  const at::Tensor logits =
      whisper_.decoder.read_prompts(batch, history_.tensor(), audio_.tensor());
  if (!from.empty()) {
    at::Tensor read = history_.tensor().narrow(4, 0, batch.length());
    read.index_copy_(2, on_device(to), read.index_select(2, on_device(from)));
  }
  return logits;
}

at::Tensor BatchedModel::on_device(std::span<const std::int64_t> numbers) const {
  return upload(numbers, whisper_.placement.device);
}

std::vector<float> BatchedModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  const c10::InferenceMode inference;
  KvCache cache = KvCache::of_length(dims(), tokens.size(), whisper_.placement.options());
  const std::vector<std::int64_t> ids(tokens.begin(), tokens.end());
  return host_numbers(whisper_.decoder.logits(
      whisper_.decoder(at::tensor(ids, at::kLong).unsqueeze(0), audio_of(window), cache)[0]));
}

TokenAttention BatchedModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                    int n_text, std::span<const std::pair<int, int>> heads) {
  const c10::InferenceMode inference;
  return attend_to(whisper_, audio_of(window), tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_batched_model(std::shared_ptr<const Weights> weights,
                                                  const Placement& placement, StepTools tools,
                                                  const MemoryWish& wish) {
  const c10::InferenceMode inference;
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  try {
    KernelUse use = try_kernels(tools.kernels.get(), placement, whisper->dims,
                                wish.windows * wish.rows_per_window);
    auto stores = allocate_stores(whisper->dims, placement, wish);
    if (!stores) return stores.error();
    use.most_rows = std::min(use.most_rows, stores->plan.rows);
    auto model = std::make_unique<BatchedModel>(std::move(*whisper), std::move(tools),
                                                std::move(*stores), std::move(use));
    model->keep_faster_kernels();
    return std::unique_ptr<Model>(std::move(model));
  } catch (...) {
    return error_of_torch_exception("model");
  }
}

}  // namespace engine
