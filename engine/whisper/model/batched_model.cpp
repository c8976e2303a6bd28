#include "engine/whisper/model/batched_model.h"

#include <algorithm>
#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/model/attend.h"
#include "engine/whisper/model/attention.h"
#include "engine/whisper/model/host_choice.h"
#include "engine/whisper/model/row_moves.h"

namespace engine {
namespace {

constexpr int most_windows = 256;
constexpr int most_rows = 1024;
constexpr std::int64_t first_numbers = 1024;

std::vector<std::int64_t> one_slot(int layers, int heads, int positions) {
  return {layers, 2, 1, heads, positions, head_dim};
}

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

BatchedModel::BatchedModel(Whisper whisper, std::unique_ptr<StepGraphs> graphs)
    : whisper_(std::move(whisper)),
      specials_(special_tokens(dims().n_vocab).value()),
      graphs_(std::move(graphs)),
      history_(one_slot(dims().n_text_layer, dims().n_text_head, dims().n_text_ctx),
               whisper_.placement.options(), most_rows),
      audio_(one_slot(dims().n_text_layer, dims().n_text_head, dims().n_audio_ctx),
             whisper_.placement.options(), most_windows),
      numbers_(at::zeros({first_numbers},
                         at::TensorOptions(whisper_.placement.device).dtype(at::kLong))) {}

SlotPool::Slot BatchedModel::take(SlotStore& store) {
  const int before = store.capacity();
  SlotPool::Slot slot = store.take();
  if (graphs_ && store.capacity() != before) graphs_->forget();
  return slot;
}

std::vector<EncodedWindow> BatchedModel::encode(std::span<const at::Tensor> mels) {
  std::vector<EncodedWindow> windows;
  for (const at::Tensor& mel : mels) windows.push_back(encode_one(mel));
  return windows;
}

EncodedWindow BatchedModel::encode_one(const at::Tensor& mel) {
  const at::Tensor encoded = whisper_.encoder(mel.unsqueeze(0))[0];
  const CrossAttention made = whisper_.decoder.cross_attention(encoded);
  SlotPool::Slot slot = take(audio_);
  const at::Tensor place = audio_.slot(slot.index());
  for (std::size_t i = 0; i < made.keys.size(); ++i) {
    const at::Tensor layer = place[static_cast<std::int64_t>(i)];
    layer[0].copy_(made.keys[i].transpose(1, 2));
    layer[1].copy_(made.values[i]);
  }
  return std::make_shared<const PooledAudio>(std::move(slot));
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
    state->owned.push_back(take(history_));
    const int slot = state->owned.back().index();
    state->slots.push_back(slot);
    if (lengths_.size() <= static_cast<std::size_t>(slot)) {
      lengths_.resize(static_cast<std::size_t>(slot) + 1);
    }
    lengths_[static_cast<std::size_t>(slot)] = 0;
  }
  return state;
}

std::unique_ptr<PendingStep> BatchedModel::read_prompts(std::span<const Prompt> prompts) {
  std::vector<StepOutcome> outcomes;
  for (const Prompt& prompt : prompts) outcomes.push_back(read_prompt(prompt));
  return std::make_unique<ReadyStep>(std::move(outcomes));
}

StepOutcome BatchedModel::read_prompt(const Prompt& prompt) {
  auto& own = batched(prompt.state);
  const std::vector<std::int64_t> ids(prompt.tokens.begin(), prompt.tokens.end());
  KvCache first(history_.tensor().narrow(2, own.slots[0], 1));
  const at::Tensor x =
      whisper_.decoder(at::tensor(ids, at::kLong).unsqueeze(0), audio_of(own.window), first)[0];
  own.length = first.length();
  const at::Tensor read = history_.slot(own.slots[0]).narrow(3, 0, own.length);
  for (const int slot : own.slots) {
    lengths_[static_cast<std::size_t>(slot)] = own.length;
    if (slot != own.slots[0]) history_.slot(slot).narrow(3, 0, own.length).copy_(read);
  }
  const at::Tensor logits = whisper_.decoder.logits(at::stack({x[prompt.sot_index], x[-1]}));
  return own.chooser.choose_first(logits[0], logits[1]);
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
  const at::Tensor logits = run(batch_of(rows, lengths_, dims().n_text_ctx));
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
  used.index_copy_(2, on_device(std::move(to)), used.index_select(2, on_device(std::move(from))));
}

at::Tensor BatchedModel::run(const StepBatch& batch) {
  upload(batch.numbers);
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

void BatchedModel::upload(const std::vector<std::int64_t>& numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (count > numbers_.numel()) {
    numbers_ = at::zeros({2 * count}, numbers_.options());
    if (graphs_) graphs_->forget();
  }
  numbers_.narrow(0, 0, count).copy_(at::tensor(numbers, at::kLong));
}

at::Tensor BatchedModel::fetch(const at::Tensor& logits, std::span<const StepRow> rows) const {
  std::vector<std::int64_t> slots;
  for (const StepRow& row : rows) slots.push_back(row.slot);
  const at::Tensor wanted = logits.index_select(0, on_device(std::move(slots)));
  if (!wanted.is_cuda()) return wanted.to(at::kCPU);
  const auto pinned = at::TensorOptions(at::kFloat).pinned_memory(true);
  return at::empty(wanted.sizes(), pinned).copy_(wanted);
}

at::Tensor BatchedModel::on_device(std::vector<std::int64_t> numbers) const {
  return at::tensor(numbers, at::kLong).to(whisper_.placement.device);
}

at::Tensor BatchedModel::logits(const EncodedWindow& window, std::span<const int> tokens) {
  KvCache cache(dims(), 1, whisper_.placement.options());
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
                                                  std::unique_ptr<StepGraphs> graphs) {
  auto whisper = load_whisper(std::move(weights), placement);
  if (!whisper) return whisper.error();
  return std::unique_ptr<Model>(
      std::make_unique<BatchedModel>(std::move(*whisper), std::move(graphs)));
}

}  // namespace engine
