#include "engine/cuda_kernels/check_kernels.h"

#include <ATen/CPUGeneratorImpl.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <utility>

#include "engine/cuda_kernels/choice_columns.h"

namespace engine {
namespace {

constexpr std::array<int, 3> checked_rows{1, 5, 33};
constexpr std::int64_t n_slots = 40;
constexpr std::int64_t n_windows = 7;
constexpr std::int64_t text_positions_checked = 64;
constexpr std::int64_t audio_positions_checked = 1500;
constexpr double units_of_a_kernel = 4;
constexpr double units_of_a_layer = 16;

double unit_of(at::ScalarType type) {
  return type == at::kBFloat16 ? std::ldexp(1.0, -8) : std::ldexp(1.0, -11);
}

// Makes the same numbers each time, and none of those that others draw.
class Numbers {
 public:
  explicit Numbers(at::TensorOptions options) : options_(options) {}
  at::Tensor operator()(at::IntArrayRef shape, double scale, double mean = 0) {
    return (at::randn(shape, generator_, at::kFloat) * scale + mean).to(options_);
  }

 private:
  at::Generator generator_ = at::detail::createCPUGenerator(1);
  at::TensorOptions options_;
};

FusedWeights make_weights(Numbers& numbers, std::int64_t n) {
  const double scale = 1 / std::sqrt(static_cast<double>(n));
  const auto weight = [&](std::int64_t out, std::int64_t in) { return numbers({out, in}, scale); };
  const auto bias = [&](std::int64_t size) { return numbers({size}, 0.1); };
  const auto gain = [&] { return numbers({n}, 0.1, 1); };
  return {.attn_norm_weight = gain(),
          .attn_norm_bias = bias(n),
          .qkv_weight = weight(3 * n, n),
          .qkv_bias = bias(3 * n),
          .out_weight = weight(n, n),
          .out_bias = bias(n),
          .cross_norm_weight = gain(),
          .cross_norm_bias = bias(n),
          .cross_query_weight = weight(n, n),
          .cross_query_bias = bias(n),
          .cross_out_weight = weight(n, n),
          .cross_out_bias = bias(n),
          .mlp_norm_weight = gain(),
          .mlp_norm_bias = bias(n),
          .fc1_weight = weight(4 * n, n),
          .fc1_bias = bias(4 * n),
          .fc2_weight = weight(n, 4 * n),
          .fc2_bias = bias(n)};
}

// Slots are a permutation, windows are shared, and every row is elsewhere in its text.
FusedStep make_step(Numbers& numbers, const at::Device& device, std::int64_t n, int rows) {
  const auto places = at::TensorOptions(device).dtype(at::kLong);
  const at::Tensor row = at::arange(rows, places);
  const at::Tensor positions = (row * 5 + 3).remainder(text_positions_checked);
  return {.x = numbers({whole_tiles(rows), n}, 1, 0.2),
          .slots = (row * 7 + 2).remainder(n_slots - 3),
          .windows = (row * 3 + 1).remainder(n_windows),
          .positions = positions,
          .history = numbers({2, n_slots, n / 64, text_positions_checked, 64}, 1),
          .audio = numbers({2, n_windows, n / 64, audio_positions_checked, 64}, 1),
          .rows = rows,
          .length = static_cast<int>(positions.max().item<std::int64_t>()) + 1};
}

FusedStep copy_of(const FusedStep& step) {
  FusedStep copy = step;
  copy.x = step.x.clone();
  copy.history = step.history.clone();
  return copy;
}

at::Tensor norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::layer_norm(x, {x.size(-1)}, weight, bias);
}

// query [rows, n], keys and values [rows, heads, length, 64]
at::Tensor attend(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                  const std::optional<at::Tensor>& seen) {
  return at::scaled_dot_product_attention(query.view({query.size(0), -1, 1, 64}), keys, values,
                                          seen, /*dropout_p=*/0, /*is_causal=*/false,
                                          /*scale=*/1.0)
      .reshape(query.sizes());
}

at::Tensor self_attention(const at::Tensor& query, const FusedStep& step) {
  const at::Tensor places = at::arange(step.length, step.positions.options());
  const at::Tensor seen = (places <= step.positions.unsqueeze(1)).view({step.rows, 1, 1, -1});
  const auto of_rows = [&](int which) {
    return step.history[which].index_select(0, step.slots).narrow(2, 0, step.length);
  };
  return attend(query, of_rows(0), of_rows(1), seen);
}

at::Tensor cross_attention(const at::Tensor& query, const FusedStep& step) {
  return attend(query, step.audio[0].index_select(0, step.windows),
                step.audio[1].index_select(0, step.windows), std::nullopt);
}

KernelCheck compare(std::string kernel, const at::Tensor& made, const at::Tensor& wanted,
                    at::ScalarType type, double units) {
  const at::Tensor reference = wanted.to(at::kCPU, at::kDouble);
  const at::Tensor difference = made.to(at::kCPU, at::kDouble) - reference;
  KernelCheck check{.kernel = std::move(kernel), .bound = units * unit_of(type)};
  const double size = reference.square().mean().sqrt().item<double>();
  check.difference = difference.square().mean().sqrt().item<double>() / size;
  check.largest = difference.abs().max().item<double>() / size;
  check.passed = std::isfinite(check.difference) && check.difference <= check.bound &&
                 check.largest <= 8 * check.bound;
  return check;
}

// Runs the parts of one layer, each from libtorch's numbers.
class Checks {
 public:
  Checks(StepKernels& kernels, const at::Device& device, at::ScalarType type, std::int64_t n)
      : kernels_(kernels),
        device_(device),
        type_(type),
        n_(n),
        numbers_(at::TensorOptions(device).dtype(type)),
        weights_(make_weights(numbers_, n)) {}

  void run(int rows) {
    const FusedStep step = make_step(numbers_, device_, n_, rows);
    const std::string of_rows = ", rows: " + std::to_string(rows);
    add("embedding" + of_rows, [&] { embedding(step, "embedding" + of_rows); });
    add("append" + of_rows, [&] { append(step, "append" + of_rows); });
    add("attention" + of_rows, [&] { attention(step, "attention" + of_rows); });
    add("gelu" + of_rows, [&] { mlp(step, "gelu" + of_rows); });
    add("logits" + of_rows, [&] { logits(step, "logits" + of_rows); });
    add("layer" + of_rows, [&] { layer(step, "layer" + of_rows); });
  }

  std::vector<KernelCheck> take() { return std::move(checks_); }

 private:
  void add(const std::string& kernel, const std::function<void()>& check) {
    try {
      check();
    } catch (const std::exception&) {
      checks_.push_back({.kernel = kernel});
    }
  }
  void compare_rows(const std::string& kernel, const at::Tensor& made, const at::Tensor& wanted,
                    double units = units_of_a_kernel) {
    checks_.push_back(compare(kernel, made, wanted, type_, units));
  }
  static at::Tensor rows_of(const at::Tensor& x, const FusedStep& step) {
    return x.narrow(0, 0, step.rows);
  }

  void embedding(const FusedStep& step, const std::string& kernel) {
    const at::Tensor tokens = step.slots * 3;
    std::vector<at::Tensor> columns(cuda_kernels::ChoiceColumns::n_numbers, at::zeros_like(tokens));
    columns[cuda_kernels::ChoiceColumns::token] = tokens;
    columns[cuda_kernels::ChoiceColumns::position] = step.positions;
    const at::Tensor out = at::zeros_like(step.x);
    const at::Tensor positions = at::zeros_like(step.positions);
    const at::Tensor& places = weights_.out_weight;
    kernels_.embed({at::stack(columns, 1), at::arange(step.rows, tokens.options()),
                    weights_.fc1_weight, places, out, positions});
    compare_rows(
        kernel, rows_of(out, step),
        weights_.fc1_weight.index_select(0, tokens) + places.index_select(0, step.positions));
    TORCH_CHECK(positions.equal(step.positions), "the positions are others");
  }

  void append(const FusedStep& step, const std::string& kernel) {
    const FusedStep own = copy_of(step);
    const at::Tensor query = at::zeros_like(own.x);
    kernels_.linear(append_call(weights_, own, query));
    const at::Tensor wanted =
        at::linear(norm(rows_of(step.x, step), weights_.attn_norm_weight, weights_.attn_norm_bias),
                   weights_.qkv_weight, weights_.qkv_bias);
    const auto appended = [&](int which) {
      return own.history[which].transpose(1, 2).index({own.slots, own.positions}).reshape({-1, n_});
    };
    compare_rows(kernel, at::cat({rows_of(query, step), appended(0), appended(1)}, 1), wanted);
  }

  void attention(const FusedStep& step, const std::string& kernel) {
    const at::Tensor query = (step.x * 0.2).contiguous();
    const at::Tensor out = at::zeros_like(query);
    kernels_.attention(self_attention_call(step, query, out));
    compare_rows(kernel, rows_of(out, step), self_attention(rows_of(query, step), step));
    kernels_.attention(cross_attention_call(step, query, out));
    compare_rows("cross-" + kernel, rows_of(out, step),
                 cross_attention(rows_of(query, step), step));
  }

  void mlp(const FusedStep& step, const std::string& kernel) {
    const at::Tensor out = at::zeros({step.x.size(0), 4 * n_}, step.x.options());
    kernels_.linear(hidden_call(weights_, step, out));
    const at::Tensor y =
        norm(rows_of(step.x, step), weights_.mlp_norm_weight, weights_.mlp_norm_bias);
    compare_rows(kernel, rows_of(out, step),
                 at::gelu(at::linear(y, weights_.fc1_weight, weights_.fc1_bias)));
  }

  // Whisper's vocabulary is no multiple of 16.
  void logits(const FusedStep& step, const std::string& kernel) {
    const at::Tensor weight = weights_.fc1_weight.narrow(0, 0, 2 * n_ - 6).contiguous();
    const at::Tensor out =
        at::zeros({step.x.size(0), weight.size(0)}, step.x.options().dtype(at::kFloat));
    kernels_.linear({.x = step.x,
                     .weight = weight,
                     .norm_weight = weights_.mlp_norm_weight,
                     .norm_bias = weights_.mlp_norm_bias,
                     .epilogue = Epilogue::logits,
                     .out = out,
                     .rows = step.rows});
    const at::Tensor y =
        norm(rows_of(step.x, step), weights_.mlp_norm_weight, weights_.mlp_norm_bias);
    compare_rows(kernel, rows_of(out, step), at::linear(y, weight));
  }

  void layer(const FusedStep& step, const std::string& kernel) {
    const FusedStep own = copy_of(step);
    const FusedStep reference = copy_of(step);
    fused_layer(kernels_, weights_, own, make_buffers(own.x));
    reference_layer(weights_, reference);
    compare_rows(kernel, rows_of(own.x, step), rows_of(reference.x, step), units_of_a_layer);
  }

  StepKernels& kernels_;
  at::Device device_;
  at::ScalarType type_;
  std::int64_t n_;
  Numbers numbers_;
  FusedWeights weights_;
  std::vector<KernelCheck> checks_{};
};

}  // namespace

void reference_layer(const FusedWeights& w, const FusedStep& step) {
  at::Tensor x = step.x.narrow(0, 0, step.rows);
  const at::Tensor qkv =
      at::linear(norm(x, w.attn_norm_weight, w.attn_norm_bias), w.qkv_weight, w.qkv_bias);
  const auto parts = qkv.chunk(3, -1);
  for (int which = 0; which < 2; ++which) {
    at::Tensor by_position = step.history[which].transpose(1, 2);
    by_position.index_put_({step.slots, step.positions},
                           parts[static_cast<std::size_t>(which) + 1].reshape({step.rows, -1, 64}));
  }
  x.add_(at::linear(self_attention(parts[0].contiguous(), step), w.out_weight, w.out_bias));
  const at::Tensor query = at::linear(norm(x, w.cross_norm_weight, w.cross_norm_bias),
                                      w.cross_query_weight, w.cross_query_bias);
  x.add_(at::linear(cross_attention(query, step), w.cross_out_weight, w.cross_out_bias));
  const at::Tensor hidden =
      at::gelu(at::linear(norm(x, w.mlp_norm_weight, w.mlp_norm_bias), w.fc1_weight, w.fc1_bias));
  x.add_(at::linear(hidden, w.fc2_weight, w.fc2_bias));
}

std::vector<KernelCheck> check_kernels(StepKernels& kernels, const at::Device& device,
                                       at::ScalarType type, std::int64_t n) {
  Checks checks(kernels, device, type, n);
  for (const int rows : checked_rows) checks.run(rows);
  return checks.take();
}

bool may_be_used(const std::vector<KernelCheck>& checks, std::string& why) {
  for (const KernelCheck& check : checks) {
    if (check.passed) continue;
    char figures[120];
    std::snprintf(figures, sizeof figures,
                  " by %.3g, in a number by %.3g, and at most %.3g is right", check.difference,
                  check.largest, check.bound);
    why = "the fused kernels are left out: " + check.kernel +
          " differs from libtorch's operations" + figures;
    return false;
  }
  return true;
}

}  // namespace engine
