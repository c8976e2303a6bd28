#include "engine/whisper/torch_model/batched_model.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "engine/torch/torch_error.h"
#include "engine/torch/upload.h"
#include "engine/whisper/torch_model/attend.h"
#include "engine/whisper/torch_model/batched_state.h"
#include "engine/whisper/torch_model/host_logits.h"
#include "engine/whisper/torch_model/prompt_batch.h"
#include "engine/whisper/torch_model/short_windows.h"
#include "engine/whisper/torch_model/try_kernels.h"

namespace engine {

BatchedModel::BatchedModel(Whisper whisper, SpecialTokens specials, StepTools tools,
                           ModelStores stores, KernelUse use)
    : whisper_(std::move(whisper)),
      specials_(std::move(specials)),
      kernels_(std::move(tools.kernels)),
      graphs_(std::move(tools.graphs)),
      use_(std::move(use)),
      plan_(stores.plan),
      history_(std::move(stores.history)),
      audio_(std::move(stores.audio)),
      key_bias_(at::zeros({plan_.windows, dims().n_audio_ctx},
                          at::TensorOptions(whisper_.placement.device).dtype(at::kFloat))),
      chooser_(specials_, plan_.rows, dims().n_text_ctx, whisper_.placement.device),
      mels_(at::zeros({plan_.encodes, dims().n_mels, 2 * dims().n_audio_ctx},
                      at::TensorOptions(whisper_.placement.device).dtype(at::kFloat))),
      numbers_(at::zeros(
          {std::max({most_numbers(limits()),
                     PromptBatch::most_numbers(plan_.encodes, plan_.rows, dims().n_text_ctx),
                     plan_.encodes * (1 + 2 * std::int64_t{dims().n_audio_ctx})}) +
           ChoiceBatch::most_numbers(plan_.rows)},
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

at::Tensor BatchedModel::run(const StepShape& shape, const Step& step) {
  return graphs_ ? graphs_->run(shape, step) : step();
}

void BatchedModel::hand_over(std::vector<std::int64_t> numbers) {
  if (numbers == uploaded_) return;
  upload_to(numbers_, numbers);
  uploaded_ = std::move(numbers);
}

ShortWindows BatchedModel::short_windows() const {
  return short_windows_of(dims(), whisper_.placement);
}

CrossAttention BatchedModel::audio_of(const EncodedWindow& window) const {
  CrossAttention result;
  const int count = pooled(window).rows.count();
  const StoredRows audio = audio_.slot(slot_of(window)).narrow(3, 0, count);
  if (window->is_short()) result.key_bias = key_bias_[slot_of(window)].narrow(0, 0, count);
  for (int layer = 0; layer < dims().n_text_layer; ++layer) {
    const StoredRows both = audio.select(0, layer);
    result.keys.push_back(both.select(0, 0));
    result.values.push_back(both.select(0, 1));
  }
  return result;
}

StoredRows BatchedModel::audio_rows(const StepShape& shape) const {
  return shape.audio_rows == 0 ? audio_.rows() : audio_.rows().narrow(4, 0, shape.audio_rows);
}

at::Tensor BatchedModel::audio_bias(const StepShape& shape) const {
  return shape.audio_rows == 0 ? at::Tensor() : key_bias_.narrow(1, 0, shape.audio_rows);
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
  return attend_to(whisper_, audio_of(window), pooled(window).rows, tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_batched_model(std::shared_ptr<const Weights> weights,
                                                  const Placement& placement, StepTools tools,
                                                  const MemoryWish& wish,
                                                  std::optional<SpecialTokens> specials) {
  const c10::InferenceMode inference;
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  try {
    if (!specials) specials = special_tokens(whisper->dims.n_vocab).value();
    KernelUse use = try_kernels(tools.kernels.get(), placement, whisper->dims, *specials,
                                wish.windows * wish.rows_per_window);
    // Steps read windows in int8 on the kernels, however many rows they have.
    const StoreForm form{.records = tools.graphs != nullptr,
                         .int8_windows = placement.int8_weights && use.most_rows > 0};
    auto stores = allocate_stores(whisper->dims, placement, wish, form);
    if (!stores) return stores.error();
    use.most_rows = std::min(use.most_rows, stores->plan.rows);
    auto model =
        std::make_unique<BatchedModel>(std::move(*whisper), *std::move(specials), std::move(tools),
                                       std::move(*stores), std::move(use));
    model->keep_faster_kernels();
    return std::unique_ptr<Model>(std::move(model));
  } catch (...) {
    return error_of_torch_exception("model");
  }
}

}  // namespace engine
