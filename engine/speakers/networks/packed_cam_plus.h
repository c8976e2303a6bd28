#pragma once

#include <vector>

#include "engine/speakers/networks/packed_head.h"

namespace engine {

// CAM++ on this CPU's own kernels, in float32, bfloat16 or int8, for pieces of 1.5 s: one piece
// after the other, so that what it says of one does not hang on the others. The first convolution,
// the masks and the last layer are float32 in every case. Immutable; any number of threads may call
// it at once, each with a room of its own.
class PackedCamPlus {
 public:
  // The memory of one thread.
  struct Room {
    explicit Room(ComputeType type);

    HeadRoom head;
    LayerRows rows;
    std::vector<float> x;
    std::vector<float> all;
    std::vector<float> heard;
    std::vector<float> local;
    std::vector<float> row;
  };

  PackedCamPlus(ComputeType type, const CamPlusWeights& weights);

  Room room() const { return Room(type_); }

  //   features   [piece_frames, fbank_bins]  the mean over the frames is taken off
  //   embedding  [embedding_size]
  void operator()(const float* features, Room& room, float* embedding) const;

 private:
  struct DenseLayer {
    ChannelNorm norm;
    PackedLayer bottleneck;
    PackedLayer local;
    PackedLayer context;  // these two in float32
    PackedLayer gate;
    int channels;  // that it reads
    int dilation;
  };
  struct DenseBlock {
    std::vector<DenseLayer> layers;
    ChannelNorm norm;
    PackedLayer transit;
  };

  void run(const DenseBlock& block, Room& room) const;
  void run(const DenseLayer& layer, int width, Room& room) const;
  void mask(const DenseLayer& layer, Room& room, float* gate) const;
  void statistics(Room& room, float* embedding) const;

  ComputeType type_;
  PackedHead head_;
  PackedLayer tdnn_;
  std::vector<DenseBlock> blocks_;
  ChannelNorm out_;
  PackedLayer dense_;  // float32
};

}  // namespace engine
