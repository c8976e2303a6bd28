#pragma once

#include <array>
#include <vector>

#include "engine/speakers/networks/packed_layer.h"
#include "engine/speakers/networks/segmentation.h"

namespace engine {

// SincNet on this CPU's own kernels, in float32. Outputs that are computed in one go are pooled in
// one go, so that they never leave the first caches.
class PackedSincnet {
 public:
  static constexpr int features = 64;  // 60 and as many zeros as fill a panel

  // The memory of one thread.
  struct Room {
    Room();

    std::vector<float> sound;     // with zeros behind it
    std::vector<float> backward;  // the same from its end, with zeros behind it
    std::vector<float> sums;
    std::vector<float> differences;
    std::vector<float> outputs;
    std::array<std::vector<float>, 3> stages;  // rows of channels
  };

  explicit PackedSincnet(const SegmentationWeights& weights);

  //   window   [speaker_window]
  //   returns  [frames_per_window, features], in the room
  const float* operator()(const float* window, Room& room) const;

 private:
  struct Norm {
    std::vector<float> weight, bias;  // for whole panels
  };
  struct Stage {
    PackedLayer convolution;
    Norm norm;
  };

  static Norm padded_norm(const Affine& norm, int channels);
  void take(const float* window, Room& room) const;
  void filter(Room& room) const;

  float sound_weight_;
  float sound_bias_;
  PackedLayer even_;  // cosines read the sums of samples equally far from the middle
  PackedLayer odd_;   // and sines the differences
  Norm filters_norm_;
  std::vector<Stage> stages_;
};

}  // namespace engine
