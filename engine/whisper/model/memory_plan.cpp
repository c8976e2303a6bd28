#include "engine/whisper/model/memory_plan.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "engine/whisper/constants.h"
#include "engine/whisper/model/size_of.h"

namespace engine {
namespace {

constexpr std::int64_t mib = 1 << 20;

// More in one batch makes no window faster, as the products are large by then.
constexpr int most_encodes = 16;

// Recorded encodes have activations of their own, beside those of encodes that run as they are. In
// memory that all recordings share, batches of 1, 2, 4, … windows that come one after the other
// take up to twice as much as the largest.
constexpr std::int64_t times_recorded = 3;

// A row's logits are there when they are computed and, of a prompt, once more for each row.
constexpr std::int64_t copies_of_logits = 2;

std::int64_t encode_bytes(const ModelDims& dims, const MemoryRoom& room) {
  const platform::ModelSize size = size_of(dims);
  const std::int64_t computed_with = encoder_activations(size) * room.value_bytes +
                                     (room.fused_attention ? 0 : encoder_score_bytes(size));
  const std::int64_t mels = std::int64_t{2} * dims.n_audio_ctx * dims.n_mels * sizeof(float);
  return (room.records ? times_recorded : 1) * computed_with + mels;
}

// In int8 each position of a head has a scale.
std::int64_t window_bytes(const platform::ModelSize& size, const MemoryRoom& room) {
  const std::int64_t numbers = keys_and_values(size, size.encoder_positions);
  if (!room.int8_windows) return numbers * room.value_bytes;
  return numbers + numbers / head_dim * room.value_bytes;
}

// A share of the card is for the allocator's gaps and for other programs, which come and go.
std::int64_t reserve(const DeviceMemory& memory) {
  return 256 * mib + memory.total_bytes / 25;
}

std::string gigabytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

Error too_little(std::int64_t free_bytes, std::int64_t needed_bytes) {
  return {Errc::out_of_memory,
          "beside the model " + gigabytes(free_bytes) + " of the card are free, and decoding one " +
              "window takes " + gigabytes(needed_bytes),
          "Use a smaller model or a smaller --beam-size, or end what else uses the card."};
}

// The bytes that each of the parts takes, and how many windows fit.
struct Division {
  std::int64_t room = 0;
  std::int64_t encode = 0;  // to encode one window, beside its place
  std::int64_t window = 0;  // with its rows and their logits
  int wanted = 0;

  int windows(int encodes) const {
    const std::int64_t fit = std::max<std::int64_t>(0, room - encodes * encode) / window;
    return static_cast<int>(std::min<std::int64_t>(wanted, fit));
  }
  // Returns the largest batch that is no more than there are windows, and takes at most a quarter.
  int encodes() const {
    int most = most_encodes;
    while (most > 1 && (windows(most) < most || 4 * most * encode > room)) most /= 2;
    return most;
  }
};

}  // namespace

Result<MemoryPlan> plan_memory(const ModelDims& dims, const MemoryRoom& room,
                               const MemoryWish& wish) {
  MemoryPlan plan;
  const platform::ModelSize size = size_of(dims);
  plan.window_bytes = window_bytes(size, room);
  plan.row_bytes = keys_and_values(size, dims.n_text_ctx) * room.value_bytes;
  const std::int64_t row_work = row_choice_bytes(size);
  const bool is_known = room.memory.total_bytes > 0;
  if (is_known) plan.reserve_bytes = reserve(room.memory);
  const auto ours =
      is_known ? static_cast<std::int64_t>(static_cast<double>(room.memory.free_bytes) * wish.part)
               : std::numeric_limits<std::int64_t>::max() / 2;
  const Division division{ours - plan.reserve_bytes, encode_bytes(dims, room),
                          plan.window_bytes + wish.rows_per_window * (plan.row_bytes + row_work),
                          wish.windows};
  plan.encodes = division.encodes();
  plan.windows = division.windows(plan.encodes);
  if (plan.windows < 1) {
    return too_little(room.memory.free_bytes,
                      plan.reserve_bytes + division.encode + division.window);
  }
  plan.rows = plan.windows * wish.rows_per_window;
  plan.work_bytes = plan.encodes * division.encode + plan.rows * row_work;
  return plan;
}

MemoryPlan plan_rows(const ModelDims& dims, std::int64_t free_bytes, int value_bytes,
                     const MemoryWish& wish) {
  const platform::ModelSize size = size_of(dims);
  MemoryPlan plan;
  plan.row_bytes = keys_and_values(size, dims.n_text_ctx) * value_bytes +
                   copies_of_logits * static_cast<std::int64_t>(sizeof(float)) * dims.n_vocab;
  constexpr std::int64_t any = std::numeric_limits<int>::max();
  const auto ours = static_cast<std::int64_t>(static_cast<double>(free_bytes) * wish.part / 2);
  const std::int64_t fit = free_bytes > 0 ? ours / plan.row_bytes : any;
  const std::int64_t wanted =
      wish.windows > 0 ? std::int64_t{wish.windows} * wish.rows_per_window : any;
  const std::int64_t rows = std::min(fit, std::max<std::int64_t>(wanted, most_rows_of_a_decode));
  if (rows < any) plan.rows = static_cast<int>(std::max<std::int64_t>(rows, wish.rows_per_window));
  return plan;
}

std::string text_of(const MemoryPlan& plan) {
  if (plan.windows == 0) {
    return std::to_string(plan.rows) + " rows in " + gigabytes(plan.store_bytes());
  }
  return std::to_string(plan.windows) + " windows and " + std::to_string(plan.rows) + " rows in " +
         gigabytes(plan.store_bytes()) + " of its memory";
}

}  // namespace engine
