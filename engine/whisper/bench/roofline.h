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

// The bytes of a number, as the engine keeps it.
struct NumberSizes {
  double weight = 4;
  double vocabulary = 4;  // of the last product's weights
  double cross = 4;       // keys and values of the audio
  double self = 4;        // keys and values of the tokens
};

//   half_weights  weights of float32 are read in float16, as the model's file has them
NumberSizes sizes_on_cpu(ComputeType type, bool half_weights = false);
NumberSizes sizes_on_gpu(ComputeType type);

// Returns the work of one window: the encoder, and the keys and values of it for all layers of the
// decoder.
Work encoder_work(const ModelDims& dims, const NumberSizes& sizes);

// Returns the work of one token for each of `batch` windows, after `length` tokens of each.
Work step_work(const ModelDims& dims, const NumberSizes& sizes, int batch, int length);

}  // namespace engine
