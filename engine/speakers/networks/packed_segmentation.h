#pragma once

#include <array>

#include "engine/speakers/networks/packed_lstm.h"
#include "engine/speakers/networks/packed_sincnet.h"

namespace engine {

// PyanNet on this CPU's own kernels, in float32. Immutable; any number of threads may call it at
// once.
class PackedSegmentation {
 public:
  static constexpr int classes = 7;

  explicit PackedSegmentation(const SegmentationWeights& weights);

  // More windows than some are computed in groups; which are in one changes nothing.
  //   windows  [count, speaker_window]
  //   scores   [count, frames_per_window, classes]  not normalized: the largest is the likeliest
  void operator()(const float* windows, int count, float* scores) const;

 private:
  struct Room;
  void run_group(const float* windows, int count, Room& room, float* scores) const;

  PackedSincnet sincnet_;
  PackedLstm lstm_;
  std::array<PackedLayer, 2> linear_;
  PackedLayer classifier_;
};

}  // namespace engine
