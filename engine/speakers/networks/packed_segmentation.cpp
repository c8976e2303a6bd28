#include "engine/speakers/networks/packed_segmentation.h"

#include <algorithm>

#include "engine/kernels/channel_rows.h"
#include "engine/speakers/voices.h"

namespace engine {
namespace {

// The LSTM reads its weights once for all windows of a group.
constexpr int group = 4;
constexpr int hidden = 128;
constexpr int scores_width = kernels::panel_width;

PackedLayer packed(const Affine& layer) {
  return {ComputeType::float32, layer.weight, layer.bias};
}

}  // namespace

struct PackedSegmentation::Room {
  explicit Room(int windows)
      : x(area(frames_per_window * windows, PackedLstm::width)), y(x.size()) {}

  PackedSincnet::Room sincnet;
  std::vector<float> x;
  std::vector<float> y;
};

PackedSegmentation::PackedSegmentation(const SegmentationWeights& weights)
    : sincnet_(weights),
      lstm_(weights.lstm, PackedSincnet::features),
      linear_{packed(weights.linear[0]), packed(weights.linear[1])},
      classifier_(packed(weights.classifier)) {}

void PackedSegmentation::operator()(const float* windows, int count, float* scores) const {
  Room room(std::min(count, group));
  for (int first = 0; first < count; first += group) {
    run_group(windows + area(first, speaker_window), std::min(group, count - first), room,
              scores + area(first * frames_per_window, classes));
  }
}

void PackedSegmentation::run_group(const float* windows, int count, Room& room,
                                   float* scores) const {
  for (int window = 0; window < count; ++window) {
    const float* features = sincnet_(windows + area(window, speaker_window), room.sincnet);
    for (int frame = 0; frame < frames_per_window; ++frame, features += PackedSincnet::features) {
      std::copy_n(features, PackedSincnet::features,
                  room.x.data() + area(frame * count + window, PackedSincnet::features));
    }
  }
  std::vector<float>& out = lstm_(room.x, room.y, frames_per_window, count);
  std::vector<float>& other = &out == &room.x ? room.y : room.x;
  const int rows = frames_per_window * count;
  linear_[0].floats(out.data(), PackedLstm::width, rows, other.data(), hidden);
  kernels::leaky_relu(other.data(), rows * hidden);
  linear_[1].floats(other.data(), hidden, rows, out.data(), hidden);
  kernels::leaky_relu(out.data(), rows * hidden);
  classifier_.floats(out.data(), hidden, rows, other.data(), scores_width);
  for (int row = 0; row < rows; ++row) {
    const int frame = row / count;
    const int window = row % count;
    std::copy_n(other.data() + area(row, scores_width), classes,
                scores + area(window * frames_per_window + frame, classes));
  }
}

}  // namespace engine
