#include "engine/kernels/attention/attention.h"

#include <algorithm>

namespace engine::kernels {
namespace {

HeadRows rows_of(const AttentionRows& rows, int head) {
  return {rows.data + std::ptrdiff_t{head} * head_dim, rows.stride, rows.count};
}

// A kernel may pack and read the values of so many blocks at a time.
constexpr int blocks_together = 4;

// Returns the blocks of keys and values that are packed: those that have a key, and some of zeros.
int packed_blocks(int n_key) {
  return (key_blocks(n_key) + blocks_together - 1) / blocks_together * blocks_together;
}

}  // namespace

Attention::Attention(Isa isa, int n_head, int max_keys, int team_size)
    : kernel_(tile_kernel(isa)),
      n_head_(n_head),
      key_bytes_(static_cast<std::size_t>(packed_blocks(max_keys)) *
                 kernel_.scoring.key_block_bytes),
      value_bytes_(static_cast<std::size_t>(packed_blocks(max_keys)) *
                   kernel_.summing.value_block_bytes),
      packed_(static_cast<std::size_t>(n_head) * (key_bytes_ + value_bytes_)),
      states_(static_cast<std::size_t>(team_size)) {}

std::byte* Attention::keys_of(int head) const {
  return packed_.as<std::byte>() + static_cast<std::size_t>(head) * (key_bytes_ + value_bytes_);
}

std::byte* Attention::values_of(int head) const {
  return keys_of(head) + key_bytes_;
}

void Attention::operator()(const AttentionRows& queries, const AttentionRows& keys,
                           const AttentionRows& values, float* out, const TeamThread& me,
                           const KeyBias& bias) {
  const int blocks = packed_blocks(keys.count);
  pack(keys, values, share(n_head_ * blocks, me.index, me.team.size(), blocks_together));
  me.team.barrier();

  const int tiles = (queries.count + kernel_.queries - 1) / kernel_.queries;
  const std::ptrdiff_t n_state = std::ptrdiff_t{n_head_} * head_dim;
  const Span span = share(n_head_ * tiles, me.index, me.team.size());
  for (int i = span.begin; i < span.end; ++i) {
    const int head = i / tiles;
    const int row = i % tiles * kernel_.queries;
    HeadRows rows = rows_of(queries, head);
    rows.data = rows.row(row);
    rows.count = std::min(kernel_.queries, queries.count - row);
    attend(kernel_,
           {.queries = rows,
            .keys = keys_of(head),
            .values = values_of(head),
            .n_key = keys.count,
            .out = out + row * n_state + std::ptrdiff_t{head} * head_dim,
            .out_stride = n_state,
            .bias = bias},
           states_[static_cast<std::size_t>(me.index)]);
  }
}

// `blocks` counts those of the first head, then those of the second, …
void Attention::pack(const AttentionRows& keys, const AttentionRows& values, Span blocks) {
  const int per_head = packed_blocks(keys.count);
  for (int i = blocks.begin; i < blocks.end;) {
    const int head = i / per_head;
    const int first = i % per_head;
    const int last = std::min(per_head, first + blocks.end - i);
    kernel_.scoring.pack_keys(rows_of(keys, head), first, last, keys_of(head));
    kernel_.summing.pack_values(rows_of(values, head), first, last, values_of(head));
    i += last - first;
  }
}

}  // namespace engine::kernels
