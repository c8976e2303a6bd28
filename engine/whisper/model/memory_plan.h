#pragma once

#include <cstdint>
#include <string>

#include "engine/device/device.h"
#include "engine/error.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// The room that a model is to have beside its weights. Places that memory has no room for are left
// out, those of one decode of one window excepted.
struct MemoryWish {
  int windows = 8;          // encoded windows at once; for plan_rows() 0: any number
  int rows_per_window = 5;  // rows of a decode: its beams or its samples
  double part = 1;          // of the free memory; the rest is for other models
};

// How much a device has, and how the model computes there.
struct MemoryRoom {
  DeviceMemory memory;          // with the weights in place; zeros: it does not tell
  int value_bytes = 2;          // of a key, a value or an activation
  bool fused_attention = true;  // otherwise the encoder stores its scores, in float32
  bool records = false;         // encodes are recorded, with memory of their own
  bool int8_windows = false;    // windows' keys and values are in int8
};

// The stores of a model that decodes in batches, which are allocated once. On a CPU windows have no
// places, and rows take their memory when they begin.
struct MemoryPlan {
  int windows = 0;                 // places for the cross-attention's keys and values
  int rows = 0;                    // places for the self-attention's
  int encodes = 1;                 // windows that are encoded as one batch
  std::int64_t window_bytes = 0;   // of one place
  std::int64_t row_bytes = 0;      // of one place
  std::int64_t work_bytes = 0;     // left free for sound to encode, activations and logits
  std::int64_t reserve_bytes = 0;  // left free for libraries, for recorded decodes and for others

  std::int64_t store_bytes() const { return windows * window_bytes + rows * row_bytes; }
  bool operator==(const MemoryPlan&) const = default;
};

// Divides the free memory. Each window gets rows_per_window rows. Where the device does not tell
// its memory the wish is the plan. Fails with out_of_memory where one decode of one window does not
// fit. It is arithmetic alone: nothing is allocated.
Result<MemoryPlan> plan_memory(const ModelDims& dims, const MemoryRoom& room,
                               const MemoryWish& wish);

// Divides the free memory of the machine that a CPU's model is on: half of it, within the wish's
// part, is for rows. There is no place for more than the wish's windows need, or than one decode
// may have (most_rows_of_a_decode); and always for the rows of one usual decode, as a model was not
// loaded where they have no room.
//   free_bytes  with the weights in place; 0: unknown, and then windows alone limit the rows
MemoryPlan plan_rows(const ModelDims& dims, std::int64_t free_bytes, int value_bytes,
                     const MemoryWish& wish);

// The beams or samples that one decode may have at most (protocol/option_table.h).
inline constexpr int most_rows_of_a_decode = 100;

// Returns "120 windows and 600 rows in 12.3 GB of its memory", or "170 rows in 1.0 GB" where
// windows have no places; for people.
std::string text_of(const MemoryPlan& plan);

}  // namespace engine
