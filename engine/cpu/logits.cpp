#include "engine/cpu/logits.h"

#include <algorithm>

namespace engine::cpu {
namespace {

// Whisper's vocabularies begin with GPT-2's text tokens; all others are behind them.
constexpr int n_text_tokens = 50'256;
constexpr int n_screened_panels = n_text_tokens / kernels::panel_width;

std::size_t row_of(int row, int width) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
}

kernels::Panels part_of(kernels::Panels whole, int thread, int threads) {
  const kernels::Span span = kernels::share(whole.last - whole.first, thread, threads);
  return {whole.first + span.begin, whole.first + span.end};
}

}  // namespace

Logits::Logits(const PackedWhisper& packed, kernels::Isa isa, kernels::Kernels kernels,
               kernels::Team& team, int max_rows)
    : packed_(packed),
      kernels_(kernels),
      soften_(kernels::kv_kernel(isa, kernels::KvFormat::bfloat16).soften),
      team_(team),
      logits_(row_of(max_rows, packed.to_logits.n_out)),
      candidates_(static_cast<std::size_t>(team.size())) {}

void Logits::operator()(int thread, const kernels::Int8Rows& x, int rows, float* out) {
  multiply(thread, x, rows);
  team_.barrier();
  const kernels::Span span = kernels::share(rows, thread, team_.size());
  for (int row = span.begin; row < span.end; ++row) {
    if (kernels_.gemm_int4 != nullptr) refine(thread, x, row);
    std::copy_n(&logits_[row_of(row, packed_.to_logits.n_out)], packed_.dims.n_vocab,
                out + row_of(row, packed_.dims.n_vocab));
  }
}

void Logits::rate(int thread, const kernels::Int8Rows& x, std::span<const int> next, int n_text,
                  float* out) {
  const int width = packed_.to_logits.n_out;
  const int rows = static_cast<int>(next.size());
  const kernels::Panels text{0, kernels::padded_outputs(n_text) / kernels::panel_width};
  kernels_.gemm_int8(x, rows, packed_.to_logits, part_of(text, thread, team_.size()),
                     {kernels::Store::float32, logits_.data(), width});
  team_.barrier();
  const kernels::Span span = kernels::share(rows, thread, team_.size());
  for (int row = span.begin; row < span.end; ++row) {
    const int token = next[static_cast<std::size_t>(row)];
    float* weights = &logits_[row_of(row, width)];
    const float sum = soften_(weights, n_text, kernels::padded_outputs(n_text));
    out[row] = token < n_text ? weights[token] / sum : 0;
  }
}

void Logits::multiply(int thread, const kernels::Int8Rows& x, int rows) {
  const int width = packed_.to_logits.n_out;
  kernels::Panels exact{0, width / kernels::panel_width};
  if (kernels_.gemm_int4 != nullptr) {
    exact.first = std::min(n_screened_panels, exact.last);
    kernels_.gemm_int4(x, rows, packed_.screen, part_of({0, exact.first}, thread, team_.size()),
                       logits_.data(), width);
  }
  kernels_.gemm_int8(x, rows, packed_.to_logits, part_of(exact, thread, team_.size()),
                     {kernels::Store::float32, logits_.data(), width});
}

void Logits::refine(int thread, const kernels::Int8Rows& x, int row) {
  const int width = packed_.to_logits.n_out;
  const int n_screened = std::min(n_screened_panels * kernels::panel_width, width);
  float* logits = &logits_[row_of(row, width)];
  const float least = *std::max_element(logits, logits + n_screened) - margin;
  std::vector<int>& candidates = candidates_[static_cast<std::size_t>(thread)];
  candidates.clear();
  for (int token = 0; token < n_screened; ++token) {
    if (logits[token] >= least) candidates.push_back(token);
  }
  kernels_.refine_int8(x, row, packed_.to_logits, candidates, logits);
}

}  // namespace engine::cpu
