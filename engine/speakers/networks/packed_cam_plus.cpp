#include "engine/speakers/networks/packed_cam_plus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/kernels/relu_rows.h"
#include "engine/speakers/evidence.h"

namespace engine {
namespace {

using namespace cam_plus;

constexpr int frames = piece_frames / 2;  // behind the first layer over time
constexpr int widest = 1024;
constexpr int local_width = kernels::panel_width;  // 32 outputs and as many zeros

// The head's output lies as [frequencies, frames, channels] in memory.
at::Tensor tdnn_weight(const at::Tensor& weight) {
  return weight.view({tdnn_channels, head_channels, head_lines, tdnn_frames})
      .permute({0, 2, 3, 1})
      .reshape({tdnn_channels, -1});
}

// Takes `rows` rows of x through the norm and its ReLU.
void take_normed(const float* x, int width, const ChannelNorm& norm, std::vector<float>& row,
                 LayerRows& rows) {
  const int channels = static_cast<int>(norm.scale.size(0));
  rows.set_width(channels);
  for (int t = 0; t < frames; ++t) {
    kernels::norm_relu(x + area(t, width), norm.scale.const_data_ptr<float>(),
                       norm.shift.const_data_ptr<float>(), channels, row.data());
    rows.put(t, row.data());
  }
}

void take_mean(const float* x, int channels, float* mean) {
  std::fill_n(mean, channels, 0.0F);
  for (int t = 0; t < frames; ++t, x += channels) {
    for (int c = 0; c < channels; ++c) mean[c] += x[c];
  }
  for (int c = 0; c < channels; ++c) mean[c] /= frames;
}

}  // namespace

PackedCamPlus::Room::Room(ComputeType type)
    : head(type),
      rows(type, frames, head_lines * tdnn_frames * head_channels),
      x(area(frames, out_channels)),
      all(area(frames, widest)),
      heard(area(frames, bottleneck_channels)),
      local(area(frames, local_width)),
      row(widest) {}

PackedCamPlus::PackedCamPlus(ComputeType type, const CamPlusWeights& weights)
    : type_(type),
      head_(type, weights),
      tdnn_(type, tdnn_weight(weights.tdnn.weight), weights.tdnn.bias),
      out_(weights.out),
      dense_(ComputeType::float32, weights.dense.weight, weights.dense.bias) {
  for (const DenseBlockWeights& block : weights.blocks) {
    DenseBlock packed{{}, block.norm, PackedLayer(type, block.transit, {})};
    for (const DenseLayerWeights& layer : block.layers) {
      packed.layers.push_back(
          {layer.norm, PackedLayer(type, layer.bottleneck.weight, layer.bottleneck.bias),
           PackedLayer(type, layer.local, {}),
           PackedLayer(ComputeType::float32, layer.context.weight, layer.context.bias),
           PackedLayer(ComputeType::float32, layer.gate.weight, layer.gate.bias),
           static_cast<int>(layer.norm.scale.size(0)), static_cast<int>(layer.dilation)});
    }
    blocks_.push_back(std::move(packed));
  }
}

void PackedCamPlus::operator()(const float* features, Room& room, float* embedding) const {
  head_(features, room.head);
  const HeadImage& image = room.head.image;
  const std::size_t bytes = tdnn_frames * image.pixel_bytes();
  room.rows.set_width(tdnn_.n_in());
  for (int t = 0; t < frames; ++t) {
    std::byte* to = room.rows.bytes(t);
    for (int f = 0; f < head_lines; ++f, to += bytes) {
      std::memcpy(to, image.at(f, 2 * t - tdnn_frames / 2), bytes);
    }
    room.rows.set_scale(t, image.scale());
  }
  tdnn_(room.rows, frames, room.x.data(), tdnn_channels);
  kernels::relu(room.x.data(), frames * tdnn_channels);
  for (const DenseBlock& block : blocks_) run(block, room);
  statistics(room, embedding);
}

// Reads room.x and writes it, rows being as wide as the block reads and as it writes.
void PackedCamPlus::run(const DenseBlock& block, Room& room) const {
  const int read = block.layers.front().channels;
  const int width = block.transit.n_in();
  for (int t = 0; t < frames; ++t) {
    std::copy_n(room.x.data() + area(t, read), read, room.all.data() + area(t, width));
  }
  for (const DenseLayer& layer : block.layers) run(layer, width, room);
  take_normed(room.all.data(), width, block.norm, room.row, room.rows);
  block.transit(room.rows, frames, room.x.data(), width / 2);
}

// Appends the layer's output to the rows of room.all, which are `width` apart.
void PackedCamPlus::run(const DenseLayer& layer, int width, Room& room) const {
  take_normed(room.all.data(), width, layer.norm, room.row, room.rows);
  layer.bottleneck(room.rows, frames, room.heard.data(), bottleneck_channels);
  kernels::relu(room.heard.data(), frames * bottleneck_channels);

  room.rows.set_width(3 * bottleneck_channels);
  for (int t = 0; t < frames; ++t) {
    for (int i = 0; i < 3; ++i) {
      const int from = t + (i - 1) * layer.dilation;
      float* to = room.row.data() + i * bottleneck_channels;
      if (from < 0 || from >= frames) {
        std::fill_n(to, bottleneck_channels, 0.0F);
      } else {
        std::copy_n(room.heard.data() + area(from, bottleneck_channels), bottleneck_channels, to);
      }
    }
    room.rows.put(t, room.row.data());
  }
  layer.local(room.rows, frames, room.local.data(), local_width);

  std::array<float, local_width> gate;
  mask(layer, room, gate.data());
  for (int t = 0; t < frames; ++t) {
    const float* local = room.local.data() + area(t, local_width);
    float* to = room.all.data() + area(t, width) + layer.channels;
    for (int c = 0; c < growth; ++c) to[c] = local[c] * gate[static_cast<std::size_t>(c)];
  }
}

// A piece is shorter than a segment of CAM++, so the mean of all frames is that of its segment,
// too, and both are added.
void PackedCamPlus::mask(const DenseLayer& layer, Room& room, float* gate) const {
  std::array<float, context_channels> hidden;
  take_mean(room.heard.data(), bottleneck_channels, room.row.data());
  for (int c = 0; c < bottleneck_channels; ++c) room.row[static_cast<std::size_t>(c)] *= 2;
  layer.context.floats(room.row.data(), 0, 1, hidden.data(), context_channels);
  kernels::relu(hidden.data(), context_channels);
  layer.gate.floats(hidden.data(), 0, 1, gate, local_width);
  for (int c = 0; c < growth; ++c) gate[c] = 1 / (1 + std::exp(-gate[c]));
}

void PackedCamPlus::statistics(Room& room, float* embedding) const {
  float* x = room.all.data();  // [frames, out_channels]
  for (int t = 0; t < frames; ++t) {
    kernels::norm_relu(room.x.data() + area(t, out_channels), out_.scale.const_data_ptr<float>(),
                       out_.shift.const_data_ptr<float>(), out_channels, x + area(t, out_channels));
  }
  float* mean = room.row.data();
  float* deviation = mean + out_channels;
  take_mean(x, out_channels, mean);
  std::fill_n(deviation, out_channels, 0.0F);
  for (int t = 0; t < frames; ++t, x += out_channels) {
    for (int c = 0; c < out_channels; ++c) deviation[c] += (x[c] - mean[c]) * (x[c] - mean[c]);
  }
  for (int c = 0; c < out_channels; ++c) deviation[c] = std::sqrt(deviation[c] / (frames - 1));
  dense_.floats(room.row.data(), 0, 1, embedding, embedding_size);
}

}  // namespace engine
