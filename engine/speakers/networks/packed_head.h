#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/speakers/networks/cam_plus_weights.h"
#include "engine/speakers/networks/packed_layer.h"

namespace engine {

constexpr int piece_frames = 148;

// An image with a border of zeros, which a convolution reads, in the type of the layer's weights.
// In int8 it has one scale, since pixels are in the rows of many products.
class HeadImage {
 public:
  static constexpr int border = 2;  // frames on each side; one frequency above and below

  HeadImage(ComputeType type, int frequencies);

  //   x        [frequencies, piece_frames, channels], none negative
  //   largest  of x
  void take(const float* x, int frequencies, float largest);

  // Returns the channels of a pixel, after which those of the next frame follow. Pixels of the
  // border can be had, too.
  const std::byte* at(int frequency, int frame) const;
  float scale() const { return scale_; }
  std::size_t pixel_bytes() const { return pixel_bytes_; }

 private:
  ComputeType type_;
  std::size_t pixel_bytes_;
  float scale_ = 1;
  kernels::AlignedVector<std::byte> bytes_;
};

// One thread's memory for the head.
struct HeadRoom {
  explicit HeadRoom(ComputeType type);

  HeadImage image;
  LayerRows pixels;            // of the first convolution, in float32
  LayerRows rows;              // of the others
  std::vector<float> x;        // [80, piece_frames, channels]
  std::vector<float> between;  // [40, …]
  std::vector<float> line;     // [piece_frames, channels]
};

// A convolution of 3×3 or 1×1 as a product: two neighbouring frames are one row, so that both
// together fill a panel of the kernels.
class HeadConvolution {
 public:
  // weight [32, 32, size, size]
  HeadConvolution(ComputeType type, const Affine& layer);

  // Computes one frequency of the output.
  //   out  [piece_frames, channels]
  void operator()(const HeadImage& image, int frequency, LayerRows& rows, float* out) const;

 private:
  int size_;
  PackedLayer layer_;
};

// The head of CAM++, a residual network over frequency and time.
class PackedHead {
 public:
  PackedHead(ComputeType type, const CamPlusWeights& weights);

  // Leaves its output, ten frequencies, in room.image.
  //   features  [piece_frames, fbank_bins]
  void operator()(const float* features, HeadRoom& room) const;

 private:
  struct Residual {
    HeadConvolution first;
    HeadConvolution second;
    std::optional<HeadConvolution> shortcut;
    int stride;
  };

  // These return the largest number of their output, which is room.x; `largest` is that of room.x
  // before.
  float first(const float* features, HeadRoom& room) const;
  float run(const Residual& block, int frequencies, float largest, HeadRoom& room) const;

  PackedLayer conv1_;  // float32
  std::vector<Residual> blocks_;
  HeadConvolution conv2_;
};

}  // namespace engine
