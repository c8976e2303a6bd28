#include "engine/speakers/networks/packed_lstm.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/channel_rows.h"

namespace engine {
namespace {

constexpr int gates = 4;
constexpr int tensors = 4;           // of a direction
constexpr int moments_at_once = 32;  // whose products with the inputs stay in the second cache

// Returns the weight for rows of `inputs`, which the layer may not read to their ends.
at::Tensor for_rows_of(const at::Tensor& weight, int inputs) {
  return at::constant_pad_nd(weight, {0, inputs - weight.size(1)});
}

}  // namespace

PackedLstm::PackedLstm(std::span<const at::Tensor> weights, int inputs) {
  const auto direction = [&](std::span<const at::Tensor> part) {
    return Direction{{ComputeType::float32, for_rows_of(part[0], inputs), part[2] + part[3]},
                     {ComputeType::float32, part[1], {}}};
  };
  for (std::size_t at = 0; at < weights.size(); at += 2 * tensors) {
    layers_.push_back({direction(weights.subspan(at, tensors)),
                       direction(weights.subspan(at + tensors, tensors))});
    inputs = width;
  }
}

std::vector<float>& PackedLstm::operator()(std::vector<float>& x, std::vector<float>& y,
                                           int moments, int windows) const {
  std::vector<float>* from = &x;
  std::vector<float>* to = &y;
  for (const auto& [forward, backward] : layers_) {
    run(forward, false, from->data(), to->data(), moments, windows);
    run(backward, true, from->data(), to->data() + state, moments, windows);
    std::swap(from, to);
  }
  return *from;
}

// Writes half of the outputs, in the order of time or against it.
void PackedLstm::run(const Direction& direction, bool backward, const float* x, float* y,
                     int moments, int windows) const {
  constexpr int products_width = gates * state;
  const int inputs = direction.input.n_in();
  std::vector<float> products(area(moments_at_once * windows, products_width));
  std::vector<float> cells(area(windows, state));
  const float* seen = nullptr;  // the outputs of the moment before
  for (int done = 0; done < moments; done += moments_at_once) {
    const int count = std::min(moments_at_once, moments - done);
    const int first = backward ? moments - done - count : done;
    direction.input.floats(x + area(first * windows, inputs), inputs, count * windows,
                           products.data(), products_width);
    for (int i = 0; i < count; ++i) {
      const int at = backward ? count - 1 - i : i;
      float* moment = products.data() + area(at * windows, products_width);
      if (seen != nullptr) {
        direction.state.floats(seen, width, windows, moment, products_width, kernels::Store::add);
      }
      float* out = y + area((first + at) * windows, width);
      for (int window = 0; window < windows; ++window) {
        kernels::lstm_step(moment + area(window, products_width), state,
                           cells.data() + area(window, state), out + area(window, width));
      }
      seen = out;
    }
  }
}

}  // namespace engine
