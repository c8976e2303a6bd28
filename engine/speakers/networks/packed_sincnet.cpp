#include "engine/speakers/networks/packed_sincnet.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/channel_rows.h"
#include "engine/speakers/voices.h"

namespace engine {
namespace {

constexpr int taps = 251;
constexpr int half = taps / 2;
constexpr int fold_width = 128;  // the half, the middle, and two that no filter reads
constexpr int sinc_stride = 10;
constexpr int filter_pairs = 40;
constexpr int filter_channels = 2 * filter_pairs;
constexpr int pooled = 3;
constexpr int kernel = 5;  // of the convolutions
constexpr int outputs_width = 2 * kernels::panel_width;
constexpr int rows_at_once = 48;  // whole tiles of the kernels, and whole pools

constexpr int filter_rows = ((speaker_window - taps) / sinc_stride + 1) / pooled;
constexpr int first_rows = (filter_rows - kernel + 1) / pooled;
constexpr int second_rows = (first_rows - kernel + 1) / pooled;
static_assert(second_rows == frames_per_window);

// Calls part(first, count) for all rows of a convolution's output, some pools at a time.
template <class Part>
void in_parts(int pools, Part part) {
  for (int first = 0; first < pools * pooled; first += rows_at_once) {
    part(first, std::min(rows_at_once, pools * pooled - first));
  }
}

// Returns the weight of a convolution over rows of `channels` channels, those beyond its own being
// zeros.
at::Tensor over_rows(const at::Tensor& weight, int channels) {
  at::Tensor wide = at::zeros({weight.size(0), weight.size(2), channels});
  wide.narrow(2, 0, weight.size(1)).copy_(weight.permute({0, 2, 1}));
  return wide.view({weight.size(0), -1});
}

// Returns the first half of filters and their middle, of which both of its neighbours are half.
at::Tensor folded_filters(const at::Tensor& filters, int first) {
  at::Tensor part =
      filters.squeeze(1).narrow(0, first, filter_pairs).narrow(1, 0, half + 1).clone();
  part.select(1, half).div_(2);
  return part;
}

// Adds up in several columns, each in double.
template <class Term>
double mean_of(const std::vector<float>& x, Term term) {
  constexpr std::size_t columns = 8;
  std::array<double, columns> sums{};
  for (std::size_t i = 0; i < speaker_window; i += columns) {
    for (std::size_t j = 0; j < columns; ++j) sums[j] += term(x[i + j]);
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total / speaker_window;
}

}  // namespace

PackedSincnet::Room::Room()
    : sound(speaker_window + fold_width),
      backward(speaker_window + fold_width),
      sums(rows_at_once * fold_width),
      differences(rows_at_once * fold_width),
      outputs(rows_at_once * outputs_width),
      stages{std::vector<float>(area(filter_rows, filter_channels)),
             std::vector<float>(area(first_rows, features)),
             std::vector<float>(area(second_rows, features))} {}

PackedSincnet::PackedSincnet(const SegmentationWeights& weights)
    : sound_weight_(weights.sound_norm.weight.item<float>()),
      sound_bias_(weights.sound_norm.bias.item<float>()),
      even_(ComputeType::float32, folded_filters(weights.filters, 0), {}),
      odd_(ComputeType::float32, folded_filters(weights.filters, filter_pairs), {}),
      filters_norm_(padded_norm(weights.filters_norm, filter_channels)) {
  for (int channels = filter_channels; const SegmentationStage& stage : weights.stages) {
    stages_.push_back({{ComputeType::float32, over_rows(stage.convolution.weight, channels),
                        stage.convolution.bias},
                       padded_norm(stage.norm, features)});
    channels = features;
  }
}

PackedSincnet::Norm PackedSincnet::padded_norm(const Affine& norm, int channels) {
  Norm padded{std::vector<float>(static_cast<std::size_t>(channels)),
              std::vector<float>(static_cast<std::size_t>(channels))};
  std::copy_n(norm.weight.const_data_ptr<float>(), norm.weight.numel(), padded.weight.begin());
  std::copy_n(norm.bias.const_data_ptr<float>(), norm.bias.numel(), padded.bias.begin());
  return padded;
}

const float* PackedSincnet::operator()(const float* window, Room& room) const {
  take(window, room);
  filter(room);
  const float* x = room.stages[0].data();
  int channels = filter_channels;
  int rows = first_rows;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const Stage& stage = stages_[i];
    float* out = room.stages[i + 1].data();
    in_parts(rows, [&](int first, int count) {
      stage.convolution.floats(x + area(first, channels), channels, count, room.outputs.data(),
                               features);
      for (int row = 0; row < count; row += pooled) {
        kernels::pool(room.outputs.data() + row * features, features, features,
                      out + area((first + row) / pooled, features));
      }
    });
    kernels::norm_channels(out, rows, features, stage.norm.weight.data(), stage.norm.bias.data());
    x = out;
    channels = features;
    rows = second_rows;
  }
  return x;
}

// Norms the samples.
void PackedSincnet::take(const float* window, Room& room) const {
  std::copy_n(window, speaker_window, room.sound.begin());
  const double mean = mean_of(room.sound, [](double x) { return x; });
  const double variance = mean_of(room.sound, [&](double x) { return (x - mean) * (x - mean); });
  const double scale = sound_weight_ / std::sqrt(variance + 1e-5);
  for (std::size_t i = 0; i < speaker_window; ++i) {
    room.sound[i] = static_cast<float>((window[i] - mean) * scale + sound_bias_);
    room.backward[speaker_window - 1 - i] = room.sound[i];
  }
}

void PackedSincnet::filter(Room& room) const {
  float* out = room.stages[0].data();
  in_parts(filter_rows, [&](int first, int count) {
    for (int row = 0; row < count; ++row) {
      const int begin = (first + row) * sinc_stride;
      kernels::add_and_subtract(room.sound.data() + begin,
                                room.backward.data() + (speaker_window - taps - begin), fold_width,
                                room.sums.data() + row * fold_width,
                                room.differences.data() + row * fold_width);
    }
    float* outputs = room.outputs.data();
    even_.floats(room.sums.data(), fold_width, count, outputs, outputs_width);
    odd_.floats(room.differences.data(), fold_width, count, outputs + kernels::panel_width,
                outputs_width);
    for (int row = 0; row < count; row += pooled, outputs += pooled * outputs_width) {
      float* to = out + area((first + row) / pooled, filter_channels);
      kernels::pool_sizes(outputs, outputs_width, filter_pairs, to);
      kernels::pool_sizes(outputs + kernels::panel_width, outputs_width, filter_pairs,
                          to + filter_pairs);
    }
  });
  kernels::norm_channels(out, filter_rows, filter_channels, filters_norm_.weight.data(),
                         filters_norm_.bias.data());
}

}  // namespace engine
