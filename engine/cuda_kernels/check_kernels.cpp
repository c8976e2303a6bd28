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

FusedWeights make_weights(Numbers& numbers, std::int64_t n, bool int8) {
  const double scale = 1 / std::sqrt(static_cast<double>(n));
  const auto matrix = [&](std::int64_t out, std::int64_t in) {
    const at::Tensor weight = numbers({out, in}, scale);
    return FusedMatrix{int8 ? rounded_to_int8(weight) : StoredRows{weight}, numbers({out}, 0.1)};
  };
  const auto bias = [&] { return numbers({n}, 0.1); };
  const auto gain = [&] { return numbers({n}, 0.1, 1); };
  return {.attn_norm_weight = gain(),
          .attn_norm_bias = bias(),
          .qkv = matrix(3 * n, n),
          .out = matrix(n, n),
          .cross_norm_weight = gain(),
          .cross_norm_bias = bias(),
          .cross_query = matrix(n, n),
          .cross_out = matrix(n, n),
          .mlp_norm_weight = gain(),
          .mlp_norm_bias = bias(),
          .fc1 = matrix(4 * n, n),
          .fc2 = matrix(n, 4 * n)};
}

// Slots are a permutation, windows are shared, and every row is elsewhere in its text.
FusedStep make_step(Numbers& numbers, const at::Device& device, std::int64_t n, int rows,
                    bool int8) {
  const auto places = at::TensorOptions(device).dtype(at::kLong);
  const at::Tensor row = at::arange(rows, places);
  const at::Tensor audio = numbers({2, n_windows, n / 64, audio_positions_checked, 64}, 1);
  const at::Tensor positions = (row * 5 + 3).remainder(text_positions_checked);
  return {.x = numbers({whole_tiles(rows), n}, 1, 0.2),
          .slots = (row * 7 + 2).remainder(n_slots - 3),
          .windows = (row * 3 + 1).remainder(n_windows),
          .positions = positions,
          .history = numbers({2, n_slots, n / 64, text_positions_checked, 64}, 1),
          .audio = int8 ? rounded_to_int8(audio) : StoredRows{audio},
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

at::Tensor product(const at::Tensor& x, const FusedMatrix& matrix) {
  return at::linear(x, to_numbers(matrix.weight), matrix.bias);
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
  const at::Tensor audio = to_numbers(step.audio.index_select(1, step.windows));
  if (!step.audio_bias.defined()) return attend(query, audio[0], audio[1], std::nullopt);
  const at::Tensor bias = step.audio_bias.index_select(0, step.windows).to(query.scalar_type());
  return attend(query, audio[0], audio[1], bias.view({step.rows, 1, 1, -1}));
}

// Returns the step with short windows: of the rows that are read the later ones represent several
// positions, and each window fills up from another row on.
FusedStep with_short_windows(const FusedStep& step) {
  constexpr std::int64_t read = 768;
  FusedStep shortened = step;
  shortened.audio = step.audio.narrow(3, 0, read);
  const at::TensorOptions there(step.x.device());
  const at::Tensor row = at::arange(read, there);
  const at::Tensor window = at::arange(n_windows, there).unsqueeze(1);
  const at::Tensor counts = (row >= 300).to(at::kFloat) * 15 + 1;
  shortened.audio_bias = at::log(counts * (row < 400 + 60 * window).to(at::kFloat)).contiguous();
  return shortened;
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
  Checks(StepKernels& kernels, const Placement& placement, std::int64_t n)
      : kernels_(kernels),
        placement_(placement),
        n_(n),
        numbers_(placement.options()),
        weights_(make_weights(numbers_, n, placement.int8_weights)) {}

  void run(int rows) {
    const FusedStep step =
        make_step(numbers_, placement_.device, n_, rows, placement_.int8_weights);
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
    checks_.push_back(compare(kernel, made, wanted, scalar_type(placement_.type), units));
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
    const at::Tensor embedding = to_numbers(weights_.fc1.weight);
    const at::Tensor places = to_numbers(weights_.out.weight);
    kernels_.embed({at::stack(columns, 1), at::arange(step.rows, tokens.options()), embedding,
                    places, out, positions});
    compare_rows(kernel, rows_of(out, step),
                 embedding.index_select(0, tokens) + places.index_select(0, step.positions));
    TORCH_CHECK(positions.equal(step.positions), "the positions are others");
  }

  void append(const FusedStep& step, const std::string& kernel) {
    const FusedStep own = copy_of(step);
    const at::Tensor query = at::zeros_like(own.x);
    kernels_.linear(append_call(weights_, own, query));
    const at::Tensor wanted =
        product(norm(rows_of(step.x, step), weights_.attn_norm_weight, weights_.attn_norm_bias),
                weights_.qkv);
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
    const FusedStep shortened = with_short_windows(step);
    kernels_.attention(cross_attention_call(shortened, query, out));
    compare_rows("cross-" + kernel + ", short windows", rows_of(out, step),
                 cross_attention(rows_of(query, step), shortened));
  }

  void mlp(const FusedStep& step, const std::string& kernel) {
    const at::Tensor out = at::zeros({step.x.size(0), 4 * n_}, step.x.options());
    kernels_.linear(hidden_call(weights_, step, out));
    const at::Tensor y =
        norm(rows_of(step.x, step), weights_.mlp_norm_weight, weights_.mlp_norm_bias);
    compare_rows(kernel, rows_of(out, step), at::gelu(product(y, weights_.fc1)));
  }

  // Whisper's vocabulary is no multiple of 16.
  void logits(const FusedStep& step, const std::string& kernel) {
    const at::Tensor weight = to_numbers(weights_.fc1.weight).narrow(0, 0, 2 * n_ - 6).contiguous();
    const at::Tensor out =
        at::zeros({step.x.size(0), weight.size(0)}, step.x.options().dtype(at::kFloat));
    kernels_.linear({.x = step.x,
                     .matrix = {{weight}},
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
  Placement placement_;
  std::int64_t n_;
  Numbers numbers_;
  FusedWeights weights_;
  std::vector<KernelCheck> checks_{};
};

}  // namespace

void reference_layer(const FusedWeights& w, const FusedStep& step) {
  at::Tensor x = step.x.narrow(0, 0, step.rows);
  const at::Tensor qkv = product(norm(x, w.attn_norm_weight, w.attn_norm_bias), w.qkv);
  const auto parts = qkv.chunk(3, -1);
  for (int which = 0; which < 2; ++which) {
    at::Tensor by_position = step.history[which].transpose(1, 2);
    by_position.index_put_({step.slots, step.positions},
                           parts[static_cast<std::size_t>(which) + 1].reshape({step.rows, -1, 64}));
  }
  x.add_(product(self_attention(parts[0].contiguous(), step), w.out));
  const at::Tensor query = product(norm(x, w.cross_norm_weight, w.cross_norm_bias), w.cross_query);
  x.add_(product(cross_attention(query, step), w.cross_out));
  const at::Tensor hidden = at::gelu(product(norm(x, w.mlp_norm_weight, w.mlp_norm_bias), w.fc1));
  x.add_(product(hidden, w.fc2));
}

std::vector<KernelCheck> check_kernels(StepKernels& kernels, const Placement& placement,
                                       std::int64_t n) {
  Checks checks(kernels, placement, n);
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
