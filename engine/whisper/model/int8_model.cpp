#include "engine/whisper/model/int8_model.h"

#include <algorithm>
#include <utility>

#include "engine/torch/exception_error.h"
#include "engine/whisper/cpu/pack_cache.h"
#include "engine/whisper/model/attention.h"
#include "platform/cpu.h"

namespace engine {
namespace {

using Store = std::shared_ptr<kernels::KvStore>;

struct Int8Audio : EncodedAudio {
  explicit Int8Audio(Store attended) : store(std::move(attended)) {}
  Store store;
};

kernels::KvStore* audio_of(const EncodedWindow& window) {
  return static_cast<const Int8Audio&>(*window).store.get();
}

struct Int8State : DecodeState {
  EncodedWindow window;
  std::vector<Store> rows;
  int length = 0;

  kernels::KvStore* audio() const { return audio_of(window); }
};

// Gives row i the history of row sources[i]. Only what is continued more than once is copied.
void reorder(Int8State& state, std::span<const int> sources, const ModelDims& dims,
             cpu::KvPool& pool) {
  const std::vector<Store> before = std::exchange(state.rows, {});
  std::vector<bool> taken(before.size());
  for (const int source : sources) {
    const auto from = static_cast<std::size_t>(source);
    if (!taken[from]) {
      taken[from] = true;
      state.rows.push_back(before[from]);
      continue;
    }
    state.rows.push_back(pool.take());
    for (int layer = 0; layer < dims.n_text_layer; ++layer) {
      for (int head = 0; head < dims.n_text_head; ++head) {
        state.rows.back()->copy(*before[from], layer, head, state.length);
      }
    }
  }
}

constexpr std::size_t most_idle_windows = 4;
constexpr std::size_t most_idle_histories = 16;

}  // namespace

Int8Model::Int8Model(std::shared_ptr<const Weights> weights, cpu::PackedWhisper packed,
                     kernels::Isa isa, int threads)
    : weights_(std::move(weights)),
      packed_(std::move(packed)),
      threads_(threads),
      encoder_(packed_, isa, threads_),
      decoder_(packed_, weights_, isa, threads_),
      windows_(
          [dims = packed_.dims] {
            return kernels::KvStore(kernels::KvFormat::int8, dims.n_text_layer, dims.n_text_head,
                                    dims.n_audio_ctx);
          },
          most_idle_windows),
      histories_(
          [dims = packed_.dims] {
            return kernels::KvStore(kernels::KvFormat::bfloat16, dims.n_text_layer,
                                    dims.n_text_head, dims.n_text_ctx);
          },
          most_idle_histories) {}

EncodedWindow Int8Model::encode(const at::Tensor& mel) {
  TORCH_CHECK(
      mel.dim() == 2 && mel.size(0) == dims().n_mels && mel.size(1) == 2 * dims().n_audio_ctx,
      "mel has the wrong shape");
  const at::Tensor input = mel.to(at::kFloat).contiguous();
  // A few embeddings of tokens are all that a window needs of the file, but the kernel maps what
  // lies around them too: 60 MB in the course of a long recording.
  weights_->release_pages();
  Store store = windows_.take();
  decoder_.project_audio(encoder_(input.const_data_ptr<float>()), *store);
  return std::make_shared<const Int8Audio>(std::move(store));
}

std::unique_ptr<DecodeState> Int8Model::start(EncodedWindow window, int n_rows) {
  auto state = std::make_unique<Int8State>();
  state->window = std::move(window);
  for (int row = 0; row < n_rows; ++row) state->rows.push_back(histories_.take());
  return state;
}

at::Tensor Int8Model::read_prompt(DecodeState& state, std::span<const int> tokens,
                                  std::span<const int> positions) {
  auto& own = static_cast<Int8State&>(state);
  std::vector<cpu::DecoderRow> rows;
  for (const int token : tokens) {
    const auto position = static_cast<int>(rows.size());
    const bool wanted = std::ranges::find(positions, position) != positions.end();
    rows.push_back({token, position, own.rows[0].get(), own.audio(), wanted});
  }
  const at::Tensor found = run(rows);
  own.length = static_cast<int>(tokens.size());
  const std::vector<int> sources(own.rows.size());
  reorder(own, sources, dims(), histories_);

  // `positions` may name one twice and in any order.
  std::vector<at::Tensor> logits;
  for (const int position : positions) {
    const auto before = std::count_if(rows.begin(), rows.begin() + position,
                                      [](const auto& row) { return row.wants_logits; });
    logits.push_back(found[before]);
  }
  return at::stack(logits);
}

at::Tensor Int8Model::step(std::span<const DecodeStep> steps) {
  std::vector<cpu::DecoderRow> rows;
  for (const DecodeStep& step : steps) {
    auto& own = static_cast<Int8State&>(*step.state);
    if (!step.source_rows.empty()) reorder(own, step.source_rows, dims(), histories_);
    for (std::size_t i = 0; i < own.rows.size(); ++i) {
      rows.push_back(
          {static_cast<int>(step.tokens[i]), own.length, own.rows[i].get(), own.audio(), true});
    }
    ++own.length;
  }
  return run(rows);
}

TokenAttention Int8Model::attend(const EncodedWindow& window, std::span<const int> tokens,
                                 int n_text, std::span<const std::pair<int, int>> heads) {
  const auto n_tokens = static_cast<int>(tokens.size());
  TORCH_CHECK(n_tokens <= dims().n_text_ctx, "more tokens than the model's context");
  const std::ptrdiff_t n_audio = dims().n_audio_ctx;
  const at::Tensor weights =
      at::empty({static_cast<std::int64_t>(heads.size()), n_tokens, n_audio}, at::kFloat);
  const at::Tensor probabilities = at::empty({n_tokens - 1}, at::kFloat);
  const Store history = histories_.take();
  for (int first = 0; first < n_tokens; first += cpu::Decoder::max_rows) {
    const int end = std::min(first + cpu::Decoder::max_rows, n_tokens);
    std::vector<cpu::DecoderRow> rows;
    for (int i = first; i < end; ++i) {
      const int token = tokens[static_cast<std::size_t>(i)];
      rows.push_back({token, i, history.get(), audio_of(window)});
    }
    std::vector<cpu::HeadCapture> captures;
    float* to = weights.mutable_data_ptr<float>() + first * n_audio;
    for (const auto& [layer, head] : heads) {
      captures.push_back({layer, {head, to, n_audio}});
      to += n_tokens * n_audio;
    }
    const int n_next = std::min(end, n_tokens - 1) - first;
    const auto next =
        tokens.subspan(static_cast<std::size_t>(first) + 1, static_cast<std::size_t>(n_next));
    decoder_.attend(rows, captures, next, n_text, probabilities.mutable_data_ptr<float>() + first);
  }
  return {weights, probabilities};
}

at::Tensor Int8Model::run(std::span<const cpu::DecoderRow> rows) {
  const auto wanted = std::ranges::count_if(rows, [](const auto& row) { return row.wants_logits; });
  const at::Tensor logits = at::empty({wanted, dims().n_vocab}, at::kFloat);
  float* out = logits.mutable_data_ptr<float>();
  while (!rows.empty()) {
    const auto part = rows.first(std::min<std::size_t>(rows.size(), cpu::Decoder::max_rows));
    decoder_(part, out);
    out += std::ranges::count_if(part, [](const auto& row) { return row.wants_logits; }) *
           dims().n_vocab;
    rows = rows.subspan(part.size());
  }
  return logits;
}

Result<std::unique_ptr<Model>> load_int8_model(std::shared_ptr<const Weights> weights, int threads,
                                               std::vector<std::string>& notes) {
  const auto heads = check_heads(weights->dims());
  if (!heads) return heads.error();
  const auto isa = kernels::best_isa(platform::probe_cpu());
  if (!isa) {
    return Error{Errc::invalid_option, "int8 needs a CPU with AVX2, which this one has not",
                 "Use --compute-type float32."};
  }
  try {
    auto packed = cpu::load_packed(*weights, cpu::pack_cache_folder(), notes);
    return std::unique_ptr<Model>(
        std::make_unique<Int8Model>(std::move(weights), std::move(packed), *isa, threads));
  } catch (...) {
    return error_of_current_exception("model");
  }
}

}  // namespace engine
