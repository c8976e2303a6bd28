#pragma once

#include "engine/whisper/cpu/kv_pool.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Makes the pool of keys and values of windows, which the decoder reads at every step. At most four
// stores are idle, and at most half a gigabyte unless one alone is larger.
cpu::KvPool window_pool(const ModelDims& dims, cpu::MatrixType type);
// Makes the pool of keys and values of tokens, of which at most 16 stores are idle.
cpu::KvPool history_pool(const ModelDims& dims, cpu::MatrixType type);

// Returns the capacity to take for a window with this number of rows. It is rounded up, since
// windows of about the same length can then use the same store.
int window_capacity(const ModelDims& dims, int rows);

// Returns the capacity to take for the history of this number of tokens. Most texts of a window are
// far shorter than the context, and all of a store's memory is written when it is made.
int history_capacity(const ModelDims& dims, int tokens);

// Returns the bytes of each number in the stores of tokens.
int history_value_bytes(cpu::MatrixType type);

}  // namespace engine
