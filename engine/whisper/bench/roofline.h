#pragma once

#include "engine/device/compute_type.h"
#include "engine/whisper/weights/dims.h"

// The least time that a piece of work can take on a machine: the roofline model (Williams, Waterman
// and Patterson 2009).
namespace engine {

// The most that a machine does, as it was measured on it.
struct MachineLimits {
  double operations_per_s = 0;  // of matrix products; a multiplication and an addition are two
  double bytes_per_s = 0;       // read from memory
};

// The work that has to be done, however a program goes about it.
struct Work {
  double operations = 0;
  double bytes = 0;  // that must be read at least once: weights, keys and values
};

enum class Bound { compute, memory };

struct IdealTime {
  double seconds = 0;
  Bound bound = Bound::compute;  // which of the two limits it is
};

IdealTime ideal_time(const Work& work, const MachineLimits& limits);

// Returns the work of one window: the encoder, and the keys and values of it for all layers of the
// decoder.
Work encoder_work(const ModelDims& dims, ComputeType type);

// Returns the work of one token for each of `batch` windows, after `length` tokens of each.
//   half_weights  a CPU reads weights of float32 in float16, as the model's file has them
Work step_work(const ModelDims& dims, ComputeType type, int batch, int length,
               bool half_weights = false);

}  // namespace engine
