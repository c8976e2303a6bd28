#include "engine/whisper/model/cpu_stores.h"

#include <algorithm>
#include <cstddef>

#include "engine/whisper/model/size_of.h"

namespace engine {
namespace {

using kernels::KvFormat;

constexpr std::size_t most_idle_windows = 4;
constexpr std::size_t most_idle_histories = 16;

KvFormat window_format(cpu::MatrixType type) {
  if (type == cpu::MatrixType::int8) return KvFormat::int8;
  return cpu::is_exact(type) ? KvFormat::float32 : KvFormat::bfloat16;
}

KvFormat history_format(cpu::MatrixType type) {
  return cpu::is_exact(type) ? KvFormat::float32 : KvFormat::bfloat16;
}

int value_bytes(KvFormat format) {
  if (format == KvFormat::float32) return 4;
  return format == KvFormat::bfloat16 ? 2 : 1;
}

constexpr int rounded_up(int count, int step) {
  return (count + step - 1) / step * step;
}

//   largest  capacity of a store
cpu::KvPool pool_of(const ModelDims& dims, KvFormat format, int largest, std::size_t most) {
  constexpr std::size_t most_bytes = std::size_t{512} << 20;
  const auto numbers = static_cast<std::size_t>(keys_and_values(size_of(dims), largest));
  const auto bytes = numbers * static_cast<std::size_t>(value_bytes(format));
  const auto make = [layers = dims.n_text_layer, heads = dims.n_text_head, format](int capacity) {
    return kernels::KvStore(format, layers, heads, capacity);
  };
  return {make, std::clamp<std::size_t>(most_bytes / bytes, 1, most)};
}

}  // namespace

cpu::KvPool window_pool(const ModelDims& dims, cpu::MatrixType type) {
  return pool_of(dims, window_format(type), dims.n_audio_ctx, most_idle_windows);
}

cpu::KvPool history_pool(const ModelDims& dims, cpu::MatrixType type) {
  return pool_of(dims, history_format(type), dims.n_text_ctx, most_idle_histories);
}

int window_capacity(const ModelDims& dims, int rows) {
  return std::min(rounded_up(rows, 128), dims.n_audio_ctx);
}

int history_capacity(const ModelDims& dims, int tokens) {
  return std::min(rounded_up(tokens, 64), dims.n_text_ctx);
}

int history_value_bytes(cpu::MatrixType type) {
  return value_bytes(history_format(type));
}

}  // namespace engine
