#include "engine/whisper/cpu/decoder.h"

#include <algorithm>
#include <utility>

namespace engine::cpu {
namespace {

using kernels::Store;

constexpr const char* token_embedding = "decoder.token_embedding.weight";

int longest_store(const ModelDims& dims) {
  return std::max(dims.n_audio_ctx, dims.n_text_ctx);
}

}  // namespace

Decoder::Decoder(const PackedWhisper& packed, std::shared_ptr<const Weights> weights,
                 kernels::Isa isa, kernels::ThreadPool& pool)
    : packed_(packed),
      weights_(std::move(weights)),
      kernels_(kernels::kernels_for(isa)),
      pool_(pool),
      n_state_(packed.dims.n_text_state),
      heads_width_(text_heads_width(packed.dims)),
      attention_(isa, longest_store(packed.dims), pool.size()),
      x_(area(max_rows, n_state_)),
      qkv_(area(max_rows, 3 * heads_width_)),
      attended_(area(max_rows, heads_width_)),
      hidden_(area(max_rows, 4 * n_state_)),
      logits_(packed, isa, kernels_, pool, max_rows),
      captures_(static_cast<std::size_t>(packed.dims.n_text_layer)),
      step_rows_(n_state_, std::max(4 * n_state_, 2 * heads_width_), pool) {}

void Decoder::project_audio(const float* encoded, int count, kernels::KvStore& audio,
                            const kernels::TeamThread& me) {
  RowBlock& block = step_rows_.own(me.index_in_pool());
  const kernels::Span span = RowBlock::share(count, me.index, me.team.size());
  for (int row = span.begin; row < span.end; row += RowBlock::size) {
    project_block(block, encoded, row, std::min(RowBlock::size, span.end - row), audio);
  }
}

void Decoder::project_block(RowBlock& block, const float* encoded, int row, int count,
                            kernels::KvStore& audio) {
  const int width = 2 * heads_width_;
  const Matrix* before = nullptr;
  Rows input;
  for (int layer = 0; layer < packed_.dims.n_text_layer; ++layer) {
    const auto& projection = packed_.decoder[static_cast<std::size_t>(layer)].cross.key_value;
    // Nearly always all layers are of one type, and take the same rows.
    if (before == nullptr || before->index() != projection.index()) {
      input =
          block.prepare(encoded + area(row, n_state_), {0, count}, n_state_, n_state_, projection);
    }
    before = &projection;
    multiply(kernels_, input, count, projection, all_panels(projection),
             {Store::float32, block.between(), width});
    const float* keys = block.between();
    for (int head = 0; head < packed_.dims.n_text_head; ++head) {
      audio.write(layer, head, row, count, {keys, width}, {keys + heads_width_, width});
    }
  }
}

void Decoder::operator()(std::span<const DecoderRow> rows, float* logits) {
  take(rows);
  pool_.run([&](int thread) {
    run_layers(thread, rows);
    write_logits(thread, rows, logits);
  });
}

void Decoder::attend(std::span<const DecoderRow> rows, std::span<const HeadCapture> captures,
                     std::span<const int> next, int n_text, float* probabilities) {
  take(rows);
  for (const HeadCapture& capture : captures) {
    captures_[static_cast<std::size_t>(capture.layer)].push_back(capture.to);
  }
  pool_.run([&](int thread) {
    run_layers(thread, rows);
    const auto input = step_rows_.normalize(thread, x_.data(), static_cast<int>(next.size()),
                                            n_state_, packed_.ln, packed_.to_logits);
    logits_.rate(thread, input, next, n_text, probabilities);
  });
}

void Decoder::take(std::span<const DecoderRow> rows) {
  self_rows_.clear();
  audio_rows_.clear();
  for (auto& of_layer : captures_) of_layer.clear();
  for (const DecoderRow& row : rows) {
    self_rows_.push_back({row.tokens, row.position + 1});
    const WindowRows* window = row.audio_rows;
    audio_rows_.push_back({row.audio,
                           window != nullptr ? window->count() : packed_.dims.n_audio_ctx,
                           window != nullptr ? window->bias() : kernels::KeyBias{}});
  }
}

void Decoder::run_layers(int thread, std::span<const DecoderRow> rows) {
  embed(thread, rows);
  for (int layer = 0; layer < packed_.dims.n_text_layer; ++layer) {
    attend_to_itself(thread, layer);
    attend_to_audio(thread, layer);
    run_mlp(thread, layer);
  }
}

kernels::Panels Decoder::panels_of(int thread, int n_out) const {
  const kernels::Span span = kernels::share(n_out / kernels::panel_width, thread, pool_.size());
  return {span.begin, span.end};
}

void Decoder::embed(int thread, std::span<const DecoderRow> rows) {
  const WeightTensor& embedding = weights_->tensors().at(token_embedding);
  const kernels::Span span = kernels::share(n_rows(), thread, pool_.size());
  for (int i = span.begin; i < span.end; ++i) {
    const DecoderRow& row = rows[static_cast<std::size_t>(i)];
    float* x = &x_[area(i, n_state_)];
    to_float(engine::rows(embedding, row.token, 1), {x, static_cast<std::size_t>(n_state_)});
    kernels::add(x, packed_.text_positions + area(row.position, n_state_), n_state_);
  }
  pool_.barrier();
}

void Decoder::attend_to_itself(int thread, int layer) {
  const SelfAttention& self = packed_.decoder[static_cast<std::size_t>(layer)].attention;
  const int width = 3 * heads_width_;
  const auto input =
      step_rows_.normalize(thread, x_.data(), n_rows(), n_state_, self.norm, self.qkv);
  multiply(kernels_, input, n_rows(), self.qkv, panels_of(thread, width),
           {Store::float32, qkv_.data(), width});
  pool_.barrier();
  const auto part = [&](int which) {
    return kernels::KvRows{qkv_.data() + area(which, heads_width_), width};
  };
  attention_.to_itself(layer, self_rows_, part(0), part(1), part(2), attended_.data(), pool_,
                       thread);
  pool_.barrier();
  add_attended(thread, self.out);
}

void Decoder::attend_to_audio(int thread, int layer) {
  const CrossAttention& cross = packed_.decoder[static_cast<std::size_t>(layer)].cross;
  const auto input =
      step_rows_.normalize(thread, x_.data(), n_rows(), n_state_, cross.norm, cross.query);
  multiply(kernels_, input, n_rows(), cross.query, panels_of(thread, heads_width_),
           {Store::float32, qkv_.data(), heads_width_});
  pool_.barrier();
  attention_.across(layer, audio_rows_, {qkv_.data(), heads_width_}, attended_.data(),
                    captures_[static_cast<std::size_t>(layer)], pool_, thread);
  pool_.barrier();
  add_attended(thread, cross.out);
}

void Decoder::add_attended(int thread, const Matrix& out) {
  const auto input = step_rows_.prepare(thread, attended_.data(), n_rows(), heads_width_, out);
  multiply(kernels_, input, n_rows(), out, panels_of(thread, n_state_),
           {Store::add, x_.data(), n_state_});
  pool_.barrier();
}

void Decoder::run_mlp(int thread, int layer) {
  const Mlp& mlp = packed_.decoder[static_cast<std::size_t>(layer)].mlp;
  const int width = 4 * n_state_;
  const auto input = step_rows_.normalize(thread, x_.data(), n_rows(), n_state_, mlp.norm, mlp.fc1);
  multiply(kernels_, input, n_rows(), mlp.fc1, panels_of(thread, width),
           {gelu_behind(mlp.fc1), hidden_.data(), width});
  pool_.barrier();
  step_rows_.add_products(thread, kernels_, hidden_.data(), n_rows(), width, mlp.fc2,
                          panels_of(thread, n_state_), x_.data(), n_state_);
  pool_.barrier();
}

void Decoder::write_logits(int thread, std::span<const DecoderRow> rows, float* logits) {
  // All threads would gather the same rows into the same places, so thread 0 does it alone.
  const auto wanted = static_cast<int>(
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.wants_logits; }));
  if (wanted == 0) return;
  if (thread == 0) {
    int to = 0;
    for (int from = 0; from < n_rows(); ++from) {
      if (!rows[static_cast<std::size_t>(from)].wants_logits) continue;
      std::copy_n(&x_[area(from, n_state_)], n_state_, &x_[area(to++, n_state_)]);
    }
  }
  pool_.barrier();
  const auto input =
      step_rows_.normalize(thread, x_.data(), wanted, n_state_, packed_.ln, packed_.to_logits);
  logits_(thread, input, wanted, logits);
}

}  // namespace engine::cpu
