#include "engine/speakers/networks/packed_head.h"

#include <algorithm>
#include <cstring>

#include "engine/kernels/relu_rows.h"
#include "engine/speakers/networks/kaldi_fbank.h"

namespace engine {
namespace {

using cam_plus::head_channels;

constexpr int pairs = piece_frames / 2;
constexpr int line_size = piece_frames * head_channels;
constexpr int image_frames = piece_frames + 2 * HeadImage::border;
constexpr int first_inputs = 3 * 4;  // frequencies, and the frames that two outputs look at

std::size_t line_at(int frequency) {
  return static_cast<std::size_t>(frequency) * line_size;
}

// Returns the weights of two neighbouring outputs, [2 · 32, size · (size + 1) · channels]: frames
// are beside each other, and each of the two leaves one of them out.
at::Tensor paired(const at::Tensor& weight) {
  const std::int64_t out = weight.size(0);
  const std::int64_t in = weight.size(1);
  const std::int64_t size = weight.size(2);
  const at::Tensor single = weight.permute({0, 2, 3, 1});
  at::Tensor both = at::zeros({2, out, size, size + 1, in});
  both.select(0, 0).narrow(2, 0, size).copy_(single);
  both.select(0, 1).narrow(2, 1, size).copy_(single);
  return both.view({2 * out, -1});
}

PackedLayer packed_pair(ComputeType type, const Affine& layer) {
  return {type, paired(layer.weight), at::cat({layer.bias, layer.bias})};
}

}  // namespace

HeadImage::HeadImage(ComputeType type, int frequencies)
    : type_(type),
      pixel_bytes_(head_channels * input_bytes(type)),
      bytes_(static_cast<std::size_t>((frequencies + 2) * image_frames) * pixel_bytes_) {}

const std::byte* HeadImage::at(int frequency, int frame) const {
  return bytes_.data() +
         static_cast<std::size_t>((frequency + 1) * image_frames + border + frame) * pixel_bytes_;
}

void HeadImage::take(const float* x, int frequencies, float largest) {
  scale_ = largest / 255;
  for (int f = 0; f < frequencies; ++f) {
    const float* line = x + line_at(f);
    auto* to = const_cast<std::byte*>(at(f, 0));
    if (type_ == ComputeType::int8) {
      kernels::quantize_positive(line, line_size, scale_, reinterpret_cast<std::uint8_t*>(to));
    } else if (type_ == ComputeType::bfloat16) {
      kernels::round_row(line, line_size, reinterpret_cast<kernels::Bfloat16*>(to));
    } else {
      std::memcpy(to, line, line_size * sizeof(float));
    }
  }
  // The image before this one was larger.
  std::memset(const_cast<std::byte*>(at(frequencies, 0)), 0, piece_frames * pixel_bytes_);
}

HeadRoom::HeadRoom(ComputeType type)
    : image(type, fbank_bins),
      pixels(ComputeType::float32, pairs, first_inputs),
      rows(type, pairs, 3 * 4 * head_channels),
      x(line_at(fbank_bins)),
      between(line_at(fbank_bins / 2)),
      line(line_size) {}

HeadConvolution::HeadConvolution(ComputeType type, const Affine& layer)
    : size_(static_cast<int>(layer.weight.size(2))), layer_(packed_pair(type, layer)) {}

void HeadConvolution::operator()(const HeadImage& image, int frequency, LayerRows& rows,
                                 float* out) const {
  const int around = size_ / 2;
  const std::size_t bytes = static_cast<std::size_t>(size_ + 1) * image.pixel_bytes();
  rows.set_width(layer_.n_in());
  for (int pair = 0; pair < pairs; ++pair) {
    std::byte* to = rows.bytes(pair);
    for (int i = 0; i < size_; ++i, to += bytes) {
      std::memcpy(to, image.at(frequency + i - around, 2 * pair - around), bytes);
    }
    rows.set_scale(pair, image.scale());
  }
  layer_(rows, pairs, out, 2 * head_channels);
}

PackedHead::PackedHead(ComputeType type, const CamPlusWeights& weights)
    : conv1_(packed_pair(ComputeType::float32, weights.conv1)), conv2_(type, weights.conv2) {
  for (const ResidualWeights& block : weights.residual) {
    std::optional<HeadConvolution> shortcut;
    if (block.shortcut) shortcut.emplace(type, *block.shortcut);
    blocks_.push_back({HeadConvolution(type, block.first), HeadConvolution(type, block.second),
                       std::move(shortcut), static_cast<int>(block.stride)});
  }
}

void PackedHead::operator()(const float* features, HeadRoom& room) const {
  float largest = first(features, room);
  int frequencies = fbank_bins;
  for (const Residual& block : blocks_) {
    largest = run(block, frequencies, largest, room);
    frequencies /= block.stride;
  }
  room.image.take(room.x.data(), frequencies, largest);
  largest = 0;
  for (int f = 0; f < frequencies / 2; ++f) {
    float* line = room.x.data() + line_at(f);
    conv2_(room.image, 2 * f, room.rows, line);
    largest = std::max(largest, kernels::relu(line, line_size));
  }
  room.image.take(room.x.data(), frequencies / 2, largest);
}

float PackedHead::first(const float* features, HeadRoom& room) const {
  const auto feature = [&](int frequency, int frame) {
    const bool inside =
        frequency >= 0 && frequency < fbank_bins && frame >= 0 && frame < piece_frames;
    return inside ? features[frame * fbank_bins + frequency] : 0.0F;
  };
  float largest = 0;
  for (int f = 0; f < fbank_bins; ++f) {
    for (int pair = 0; pair < pairs; ++pair) {
      auto* to = reinterpret_cast<float*>(room.pixels.bytes(pair));
      for (int i = 0; i < first_inputs; ++i) to[i] = feature(f - 1 + i / 4, 2 * pair - 1 + i % 4);
    }
    float* line = room.x.data() + line_at(f);
    conv1_(room.pixels, pairs, line, 2 * head_channels);
    largest = std::max(largest, kernels::relu(line, line_size));
  }
  return largest;
}

float PackedHead::run(const Residual& block, int frequencies, float largest, HeadRoom& room) const {
  const int left = frequencies / block.stride;
  room.image.take(room.x.data(), frequencies, largest);
  largest = 0;
  for (int f = 0; f < left; ++f) {
    float* line = room.between.data() + line_at(f);
    block.first(room.image, f * block.stride, room.rows, line);
    largest = std::max(largest, kernels::relu(line, line_size));
    // The image has what room.x had.
    if (block.shortcut) {
      (*block.shortcut)(room.image, f * block.stride, room.rows, room.x.data() + line_at(f));
    }
  }
  room.image.take(room.between.data(), left, largest);
  largest = 0;
  for (int f = 0; f < left; ++f) {
    block.second(room.image, f, room.rows, room.line.data());
    largest = std::max(largest,
                       kernels::add_relu(room.x.data() + line_at(f), room.line.data(), line_size));
  }
  return largest;
}

}  // namespace engine
