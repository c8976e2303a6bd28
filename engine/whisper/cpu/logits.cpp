#include "engine/whisper/cpu/logits.h"

#include <algorithm>
#include <limits>

#include "engine/whisper/constants.h"

namespace engine::cpu {
namespace {

std::size_t row_of(int row, int width) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
}

kernels::Panels part_of(kernels::Panels whole, int thread, int threads) {
  const kernels::Span span = kernels::share(whole.last - whole.first, thread, threads);
  return {whole.first + span.begin, whole.first + span.end};
}

Logits::Margins preselected_margins(const PackedWhisper& packed) {
  const float* deviation = packed.preselection.deviation;
  return deviation == nullptr ? Logits::Margins{} : Logits::margins_for(*deviation);
}

}  // namespace

Logits::Margins Logits::margins_for(float deviation) {
  const float furthest = 9 * deviation;
  return {furthest + 5, furthest + 9, furthest};
}

Logits::Logits(const PackedWhisper& packed, kernels::Isa isa, kernels::Kernels kernels,
               kernels::ThreadPool& pool, int max_rows)
    : packed_(packed),
      margins_(preselected_margins(packed)),
      kernels_(kernels),
      soften_(kernels::kv_kernel(isa, kernels::KvFormat::bfloat16).soften),
      pool_(pool),
      logits_(row_of(max_rows, outputs(packed.to_logits))),
      largest_(row_of(max_rows, pool.size())),
      candidates_(static_cast<std::size_t>(pool.size())) {}

void Logits::operator()(int thread, const Rows& x, int rows, float* out) {
  const Share share = share_of(thread);
  multiply_share(share, x, rows);
  if (preselects()) {
    note_largest(thread, share, rows);
    pool_.barrier();
    for (int row = 0; row < rows; ++row) refine(thread, share, x, row);
  }
  for (int row = 0; row < rows; ++row) {
    float* to = out + row_of(row, packed_.dims.n_vocab);
    for (const kernels::Panels panels : {share.preselected, share.exact}) {
      const auto from = part(row, panels);
      std::copy(from.begin(), from.end(), to + panels.first * kernels::panel_width);
    }
  }
}

void Logits::rate(int thread, const Rows& x, std::span<const int> next, int n_text, float* out) {
  const int width = outputs(packed_.to_logits);
  const int rows = static_cast<int>(next.size());
  const kernels::Panels text{0, kernels::padded_outputs(n_text) / kernels::panel_width};
  multiply(kernels_, x, rows, packed_.to_logits, part_of(text, thread, pool_.size()),
           {kernels::Store::float32, logits_.data(), width});
  pool_.barrier();
  const kernels::Span span = kernels::share(rows, thread, pool_.size());
  for (int row = span.begin; row < span.end; ++row) {
    const int token = next[static_cast<std::size_t>(row)];
    float* weights = &logits_[row_of(row, width)];
    const float sum = soften_(weights, n_text, kernels::padded_outputs(n_text));
    out[row] = token < n_text ? weights[token] / sum : 0;
  }
}

bool Logits::preselects() const {
  return packed_.type == MatrixType::int8 && kernels_.gemm_int4 != nullptr &&
         packed_.n_preselected >= kernels::panel_width;
}

Logits::Share Logits::share_of(int thread) const {
  const int panels = outputs(packed_.to_logits) / kernels::panel_width;
  const int preselected =
      preselects() ? std::min(packed_.n_preselected / kernels::panel_width, panels) : 0;
  return {part_of({0, preselected}, thread, pool_.size()),
          part_of({preselected, panels}, thread, pool_.size())};
}

void Logits::multiply_share(const Share& share, const Rows& x, int rows) {
  const int width = outputs(packed_.to_logits);
  if (preselects()) {
    kernels_.gemm_int4(std::get<kernels::Int8Rows>(x), rows, packed_.preselection,
                       share.preselected, logits_.data(), width);
  }
  multiply(kernels_, x, rows, packed_.to_logits, share.exact,
           {kernels::Store::float32, logits_.data(), width});
}

// The outputs that only fill up the last panel are left out.
std::span<float> Logits::part(int row, kernels::Panels panels) {
  const int begin = std::min(panels.first * kernels::panel_width, packed_.dims.n_vocab);
  const int end = std::min(panels.last * kernels::panel_width, packed_.dims.n_vocab);
  float* logits = &logits_[row_of(row, outputs(packed_.to_logits))];
  return {logits + begin, logits + end};
}

void Logits::note_largest(int thread, const Share& share, int rows) {
  for (int row = 0; row < rows; ++row) {
    largest_[row_of(row, pool_.size()) + static_cast<std::size_t>(thread)] = {
        kernels_.largest(part(row, share.preselected)), kernels_.largest(part(row, share.exact))};
  }
}

void Logits::refine(int thread, const Share& share, const Rows& x, int row) {
  float text = -std::numeric_limits<float>::infinity();
  float all = text;
  for (int other = 0; other < pool_.size(); ++other) {
    const Largest& found = largest_[row_of(row, pool_.size()) + static_cast<std::size_t>(other)];
    text = std::max(text, found.text);
    all = std::max({all, found.text, found.other});
  }
  std::vector<int>& candidates = candidates_[static_cast<std::size_t>(thread)];
  candidates.clear();
  const float least =
      std::max(text - margins_.text, std::min(all - margins_.all, text - margins_.least_text));
  kernels_.find_at_least(part(row, share.preselected), least,
                         share.preselected.first * kernels::panel_width, candidates);
  const auto& weight = std::get<kernels::Int8Matrix>(packed_.to_logits);
  float* logits = &logits_[row_of(row, weight.n_out)];
  const auto& inputs = std::get<kernels::Int8Rows>(x);
  multiply_crowded_panels(inputs, row, candidates, logits);
  kernels_.refine_int8(inputs, row, weight, candidates, logits);
}

void Logits::multiply_crowded_panels(const kernels::Int8Rows& x, int row,
                                     std::vector<int>& candidates, float* logits) {
  const auto& weight = std::get<kernels::Int8Matrix>(packed_.to_logits);
  const kernels::Int8Rows one{x.data + row_of(row, weight.n_in), x.scale + row, x.zero + row};
  auto kept = candidates.begin();
  for (auto first = candidates.begin(); first != candidates.end();) {
    const int panel = *first / kernels::panel_width;
    const auto last = std::find_if(first, candidates.end(), [panel](int output) {
      return output / kernels::panel_width != panel;
    });
    if (last - first < least_crowd) {
      kept = std::copy(first, last, kept);
    } else {
      kernels_.gemm_int8(one, 1, weight, {panel, panel + 1},
                         {kernels::Store::float32, logits, weight.n_out});
    }
    first = last;
  }
  candidates.erase(kept, candidates.end());
}

}  // namespace engine::cpu
