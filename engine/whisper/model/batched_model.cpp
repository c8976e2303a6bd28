#include "engine/whisper/model/batched_model.h"

#include <algorithm>
#include <utility>

#include "engine/torch/exception_error.h"
#include "engine/torch/upload.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/model/attend.h"
#include "engine/whisper/model/attention.h"
#include "engine/whisper/model/host_choice.h"
#include "engine/whisper/model/prompt_batch.h"
#include "engine/whisper/model/row_moves.h"

namespace engine {
namespace {

struct PooledAudio : EncodedAudio {
  explicit PooledAudio(SlotPool::Slot taken) : slot(std::move(taken)) {}
  SlotPool::Slot slot;
};

int slot_of(const EncodedWindow& window) {
  return static_cast<const PooledAudio&>(*window).slot.index();
}

struct BatchedState : DecodeState {
  explicit BatchedState(HostChooser choice) : chooser(std::move(choice)) {}

  HostChooser chooser;
  EncodedWindow window;
  std::vector<SlotPool::Slot> owned;
  std::vector<int> slots;  // of `owned`, by row
  int length = 0;
};

BatchedState& batched(DecodeState* state) {
  return static_cast<BatchedState&>(*state);
}

}  // namespace

BatchedModel::BatchedModel(Whisper whisper, std::unique_ptr<StepGraphs> graphs, ModelStores stores)
    : whisper_(std::move(whisper)),
      specials_(special_tokens(dims().n_vocab).value()),
      graphs_(std::move(graphs)),
      plan_(stores.plan),
      history_(std::move(stores.history)),
      audio_(std::move(stores.audio)),
      lengths_(static_cast<std::size_t>(plan_.rows)),
      numbers_(at::zeros({most_numbers(limits())},
                         at::TensorOptions(whisper_.placement.device).dtype(at::kLong))) {}

StepLimits BatchedModel::limits() const {
  return {plan_.rows, plan_.windows, dims().n_text_ctx};
}

std::optional<GraphState> BatchedModel::graphs() const {
  if (!graphs_) return std::nullopt;
  return graphs_->state();
}

std::vector<EncodedWindow> BatchedModel::encode(std::span<const at::Tensor> mels) {
  std::vector<EncodedWindow> windows;
  std::vector<std::int64_t> slots;
  for (std::size_t i = 0; i < mels.size(); ++i) {
    windows.push_back(std::make_shared<const PooledAudio>(audio_.take()));
    slots.push_back(slot_of(windows.back()));
  }
  const at::Tensor encoded = whisper_.encoder(
      upload_stacked(mels, whisper_.placement.device).to(scalar_type(whisper_.placement.type)));
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
  auto state = std::make_unique<BatchedState>(HostChooser(options, specials_));
  state->window = std::move(window);
  for (int row = 0; row < options.n_rows; ++row) {
    state->owned.push_back(history_.take());
    const int slot = state->owned.back().index();
    history_.clear(slot);
    state->slots.push_back(slot);
    lengths_[static_cast<std::size_t>(slot)] = 0;
  }
  return state;
}

std::unique_ptr<PendingStep> BatchedModel::read_prompts(std::span<const Prompt> prompts) {
  std::vector<StepOutcome> outcomes(prompts.size());
  for (auto& group : prompt_groups(prompts, plan_.encodes)) {
    std::ranges::sort(group, {}, [&](std::size_t index) {
      return slot_of(batched(prompts[index].state).window);
    });
    std::vector<const Prompt*> batch;
    for (const std::size_t index : group) batch.push_back(&prompts[index]);
    const at::Tensor logits = read_batch(batch).to(at::kCPU);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto row = static_cast<std::int64_t>(2 * i);
      HostChooser& chooser = batched(batch[i]->state).chooser;
      outcomes[group[i]] = chooser.choose_first(logits[row], logits[row + 1]);
    }
  }
  return std::make_unique<ReadyStep>(std::move(outcomes));
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
      lengths_[static_cast<std::size_t>(slot)] = own.length;
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

std::unique_ptr<PendingStep> BatchedModel::step(std::span<DecodeState* const> states) {
  reorder(states);
  std::vector<StepRow> rows;
  for (DecodeState* state : states) {
    const BatchedState& own = batched(state);
    const std::vector<int> tokens = own.chooser.next_tokens();
    for (std::size_t i = 0; i < own.slots.size(); ++i) {
      rows.push_back({own.slots[i], slot_of(own.window), own.length, tokens[i]});
    }
  }
  const at::Tensor logits = run(batch_of(rows, lengths_, limits()));
  for (DecodeState* state : states) ++batched(state).length;
  for (const StepRow& row : rows) lengths_[static_cast<std::size_t>(row.slot)] = row.position + 1;
  return choose_on_host<BatchedState>(states, fetch(logits, rows));
}

void BatchedModel::reorder(std::span<DecodeState* const> states) {
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  int length = 0;
  for (DecodeState* state : states) {
    BatchedState& own = batched(state);
    if (own.chooser.source_rows().empty()) continue;
    RowMoves moves = move_rows(own.slots, own.chooser.source_rows());
    own.slots = std::move(moves.slots);
    if (moves.from.empty()) continue;
    from.insert(from.end(), moves.from.begin(), moves.from.end());
    to.insert(to.end(), moves.to.begin(), moves.to.end());
    length = std::max(length, own.length);
  }
  if (from.empty()) return;
  at::Tensor used = history_.tensor().narrow(4, 0, length);
  used.index_copy_(2, on_device(to), used.index_select(2, on_device(from)));
}

at::Tensor BatchedModel::run(const StepBatch& batch) {
  upload_to(numbers_, batch.numbers);
  const StepShape& shape = batch.shape;
  const auto step = [this, shape] {
    const std::int64_t queries = std::int64_t{shape.windows} * shape.rows_per_window;
    const auto parts = numbers_.narrow(0, 0, count_numbers(shape))
                           .split_with_sizes({shape.rows, shape.rows, queries, shape.rows});
    return whisper_.decoder.step({parts[0], parts[1], parts[2], parts[3], shape.windows,
                                  shape.length, history_.tensor(), audio_.tensor()});
  };
  return graphs_ ? graphs_->run(shape, step) : step();
}

at::Tensor BatchedModel::fetch(const at::Tensor& logits, std::span<const StepRow> rows) const {
  std::vector<std::int64_t> slots;
  for (const StepRow& row : rows) slots.push_back(row.slot);
  const at::Tensor wanted = logits.index_select(0, on_device(slots));
  if (!wanted.is_cuda()) return wanted.to(at::kCPU);
  const auto pinned = at::TensorOptions(at::kFloat).pinned_memory(true);
  return at::empty(wanted.sizes(), pinned).copy_(wanted);
}

at::Tensor BatchedModel::on_device(std::span<const std::int64_t> numbers) const {
  return upload(numbers, whisper_.placement.device);
}

at::Tensor BatchedModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  KvCache cache = KvCache::of_length(dims(), tokens.size(), whisper_.placement.options());
  const std::vector<std::int64_t> ids(tokens.begin(), tokens.end());
  return whisper_.decoder.logits(
      whisper_.decoder(at::tensor(ids, at::kLong).unsqueeze(0), audio_of(window), cache)[0]);
}

TokenAttention BatchedModel::attend(const EncodedWindow& window, std::span<const int> tokens,
                                    int n_text, std::span<const std::pair<int, int>> heads) {
  return attend_to(whisper_, audio_of(window), tokens, n_text, heads);
}

Result<std::unique_ptr<Model>> load_batched_model(std::shared_ptr<const Weights> weights,
                                                  const Placement& placement,
                                                  std::unique_ptr<StepGraphs> graphs,
                                                  const MemoryWish& wish) {
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  try {
    auto stores = allocate_stores(whisper->dims, placement, wish);
    if (!stores) return stores.error();
    return std::unique_ptr<Model>(
        std::make_unique<BatchedModel>(std::move(*whisper), std::move(graphs), std::move(*stores)));
  } catch (...) {
    return error_of_current_exception("model");
  }
}

}  // namespace engine
