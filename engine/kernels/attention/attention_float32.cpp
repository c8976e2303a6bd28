#include "engine/kernels/attention/attention_float32.h"

#include <algorithm>

#include "engine/kernels/attention/attention_layout.h"

namespace engine::kernels {
namespace {

// Scores of so many queries, and the keys and values of a head, stay in the second cache.
constexpr int tile_rows = 24;

const float* row_of(const Float32AttentionRows& rows, int row, int head) {
  return rows.data + row * rows.stride + std::ptrdiff_t{head} * head_dim;
}

}  // namespace

Float32Attention::Float32Attention(Isa isa, int n_head, int max_keys, int team_size)
    : kernels_(kernels_for(isa)),
      soften_(kv_kernel(isa, KvFormat::float32).soften),
      n_head_(n_head),
      width_(padded_outputs(max_keys)),
      packed_(static_cast<std::size_t>(n_head * 2 * width_) * head_dim * sizeof(float)),
      scores_(static_cast<std::size_t>(team_size * tile_rows * width_) * sizeof(float)) {}

float* Float32Attention::keys_of(int head) const {
  return packed_.as<float>() + std::ptrdiff_t{head} * 2 * width_ * head_dim;
}

float* Float32Attention::values_of(int head) const {
  return keys_of(head) + std::ptrdiff_t{width_} * head_dim;
}

void Float32Attention::operator()(const Float32AttentionRows& queries,
                                  const Float32AttentionRows& keys,
                                  const Float32AttentionRows& values, float* out,
                                  const TeamThread& me, const KeyBias& bias) {
  const int panels = padded_outputs(keys.count) / panel_width;
  pack(keys, values, share(n_head_ * panels, me.index, me.team.size()));
  me.team.barrier();

  const int tiles = (queries.count + tile_rows - 1) / tile_rows;
  float* scores = scores_.as<float>() + std::ptrdiff_t{me.index} * tile_rows * width_;
  const Span span = share(n_head_ * tiles, me.index, me.team.size());
  for (int i = span.begin; i < span.end; ++i) {
    attend(i / tiles, queries, i % tiles * tile_rows, keys.count, bias, out, scores);
  }
}

// `panels` counts those of the first head, then those of the second, …
void Float32Attention::pack(const Float32AttentionRows& keys, const Float32AttentionRows& values,
                            Span panels) {
  const int per_head = padded_outputs(keys.count) / panel_width;
  for (int i = panels.begin; i < panels.end; ++i) {
    const int head = i / per_head;
    const int first = i % per_head * panel_width;
    const int count = std::min(panel_width, keys.count - first);
    float* panel = keys_of(head) + std::ptrdiff_t{first} * head_dim;
    for (int key = 0; key < count; ++key) {
      const float* from = row_of(keys, first + key, head);
      for (int dim = 0; dim < head_dim; ++dim) panel[dim * panel_width + key] = from[dim];
      std::copy_n(row_of(values, first + key, head), head_dim,
                  values_of(head) + std::ptrdiff_t{first + key} * head_dim);
    }
  }
}

void Float32Attention::attend(int head, const Float32AttentionRows& queries, int row, int n_key,
                              const KeyBias& bias, float* out, float* scores) const {
  const int rows = std::min(tile_rows, queries.count - row);
  const int width = padded_outputs(n_key);
  const std::ptrdiff_t n_state = std::ptrdiff_t{n_head_} * head_dim;
  float* to = out + row * n_state + std::ptrdiff_t{head} * head_dim;
  kernels_.gemm_float32({row_of(queries, row, head), queries.stride}, rows,
                        {head_dim, width, keys_of(head), nullptr}, {0, width / panel_width},
                        {Store::float32, scores, width});
  add_bias(bias, 0, n_key, rows, scores, width);
  float inverse[tile_rows];
  for (int r = 0; r < rows; ++r) {
    inverse[r] = 1.0F / soften_(scores + std::ptrdiff_t{r} * width, n_key, width);
  }
  kernels_.gemm_float32({scores, width}, rows, {n_key, head_dim, values_of(head), nullptr}, {0, 1},
                        {Store::float32, to, n_state});
  for (int r = 0; r < rows; ++r) {
    std::transform(to + r * n_state, to + r * n_state + head_dim, to + r * n_state,
                   [&](float sum) { return sum * inverse[r]; });
  }
}

}  // namespace engine::kernels
