#include "engine/kernels/decoder_attention/decoder_attention_store.h"

#include <cstdint>
#include <cstring>

#include "engine/kernels/gemm/packed_matrix.h"

namespace engine::kernels {
namespace {

constexpr std::size_t bytes_of_a_number(KvFormat format) {
  switch (format) {
    case KvFormat::float32:
      return sizeof(float);
    case KvFormat::bfloat16:
      return sizeof(Bfloat16);
    case KvFormat::int8:
      return sizeof(std::int8_t);
  }
  return 0;
}

// Returns how many positions the layout keeps together.
constexpr int unit(KvFormat format) {
  return format == KvFormat::float32 ? panel_width : key_lanes;
}

std::size_t units(KvFormat format, int count) {
  return static_cast<std::size_t>((count + unit(format) - 1) / unit(format));
}

constexpr std::size_t head_bytes(std::size_t packed, std::size_t scale) {
  return 2 * (packed + scale);
}

}  // namespace

KvStore::KvStore(KvFormat format, int n_layer, int n_head, int capacity)
    : format_(format),
      n_head_(n_head),
      capacity_(capacity),
      packed_bytes_(units(format, capacity) * static_cast<std::size_t>(unit(format) * head_dim) *
                    bytes_of_a_number(format)),
      scale_bytes_(format == KvFormat::int8
                       ? static_cast<std::size_t>(key_blocks(capacity)) * key_lanes * sizeof(float)
                       : 0),
      buffer_(static_cast<std::size_t>(n_layer * n_head) *
              head_bytes(packed_bytes_, scale_bytes_)) {}

KvStore::Part KvStore::part(int layer, int head) const {
  std::byte* begin = buffer_.as<std::byte>() + static_cast<std::size_t>(layer * n_head_ + head) *
                                                   head_bytes(packed_bytes_, scale_bytes_);
  std::byte* values = begin + packed_bytes_ + scale_bytes_;
  return {begin, values, reinterpret_cast<float*>(begin + packed_bytes_),
          reinterpret_cast<float*>(values + packed_bytes_)};
}

HeadKv KvStore::head(int layer, int head) const {
  const Part p = part(layer, head);
  return {p.keys, p.values, p.key_scale, p.value_scale};
}

void KvStore::write(int layer, int head, int first, int count, const KvRows& keys,
                    const KvRows& values) {
  const Part to = part(layer, head);
  const KvRows key_rows{keys.data + std::ptrdiff_t{head} * head_dim, keys.stride};
  const KvRows value_rows{values.data + std::ptrdiff_t{head} * head_dim, values.stride};
  if (format_ == KvFormat::float32) {
    write_float32_keys(key_rows, first, count, reinterpret_cast<float*>(to.keys));
    write_float32_values(value_rows, first, count, reinterpret_cast<float*>(to.values));
  } else if (format_ == KvFormat::int8) {
    write_int8_keys(key_rows, first, count, reinterpret_cast<std::uint8_t*>(to.keys), to.key_scale);
    write_int8_values(value_rows, first, count, reinterpret_cast<std::int8_t*>(to.values),
                      to.value_scale);
  } else {
    write_bfloat16_keys(key_rows, first, count, reinterpret_cast<Bfloat16*>(to.keys));
    write_bfloat16_values(value_rows, first, count, reinterpret_cast<Bfloat16*>(to.values));
  }
}

// The copy is of whole units of the layout: what comes after `count` counts for nothing.
void KvStore::copy(const KvStore& from, int layer, int head, int count) {
  const Part source = from.part(layer, head);
  const Part to = part(layer, head);
  const std::size_t some = units(format_, count);
  const std::size_t all = units(format_, capacity_);
  std::memcpy(to.keys, source.keys, packed_bytes_ / all * some);
  std::memcpy(to.values, source.values, packed_bytes_ / all * some);
  std::memcpy(to.key_scale, source.key_scale, scale_bytes_ / all * some);
  std::memcpy(to.value_scale, source.value_scale, scale_bytes_ / all * some);
}

}  // namespace engine::kernels
