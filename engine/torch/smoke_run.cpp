#include "engine/torch/smoke_run.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <cstdio>
#include <vector>

#include "engine/torch/device.h"
#include "engine/torch/linear.h"

namespace engine {
namespace {

Error failed(const SmokeResult& result, const std::string& how) {
  return {Errc::device_unavailable,
          "smoke run failed: the " + result.operation + " in " + name(result.placement.type) +
              " on " + device_text(result.placement.device) + " " + how,
          "This device computes wrong numbers here. Use --device cpu, or another --compute-type."};
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * part);
  return text;
}

// Makes the same numbers each time, without a step of the generator that others draw from.
class Numbers {
 public:
  at::Tensor operator()(at::IntArrayRef shape, double scale) {
    return at::randn(shape, generator_, at::kFloat) * scale;
  }

 private:
  at::Generator generator_ = at::detail::createCPUGenerator(1);
};

// Keeps libtorch to one thread: handing on so little work takes longer than doing it.
class OneThread {
 public:
  OneThread() { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }

 private:
  int before_ = at::get_num_threads();
};

SmokeResult matrix_product(const Placement& placement, Numbers& numbers) {
  const at::Tensor x = numbers({50, 384}, 1);
  const at::Tensor weight = numbers({256, 384}, 0.05);
  const at::Tensor bias = numbers({256}, 1);
  const Linear linear(weight, bias, placement, x.size(0));
  return {"matrix product", placement, linear(place(x, placement)), at::linear(x, weight, bias)};
}

// The weights are rounded on the device, and on the CPU in the same type.
SmokeResult int8_product(const Placement& placement, Numbers& numbers) {
  const at::Tensor x = numbers({50, 384}, 1);
  const at::Tensor weight = numbers({256, 384}, 0.05);
  const Linear linear(weight, {}, placement, x.size(0));
  const Placement here{at::kCPU, placement.type};
  const at::Tensor rounded = to_numbers(rounded_to_int8(place(weight, here))).to(at::kFloat);
  return {"product with int8 weights", placement, linear(place(x, placement)),
          at::linear(x, rounded)};
}

// This is the encoder's second convolution, smaller.
SmokeResult convolution(const Placement& placement, Numbers& numbers) {
  const at::Tensor x = numbers({1, 80, 160}, 1);
  const at::Tensor weight = numbers({64, 80, 3}, 0.05);
  const at::Tensor bias = numbers({64}, 1);
  const auto run = [](const at::Tensor& input, const at::Tensor& w, const at::Tensor& b) {
    return at::conv1d(input, w, b, /*stride=*/2, /*padding=*/1);
  };
  return {"convolution", placement,
          run(place(x, placement), place(weight, placement), place(bias, placement)),
          run(x, weight, bias)};
}

SmokeResult attention(const Placement& placement, Numbers& numbers) {
  const at::Tensor query = numbers({1, 2, 150, 64}, 0.125);
  const at::Tensor key = numbers({1, 2, 150, 64}, 1);
  const at::Tensor value = numbers({1, 2, 150, 64}, 1);
  const at::Tensor found = at::scaled_dot_product_attention(
      place(query, placement), place(key, placement), place(value, placement), /*attn_mask=*/{},
      /*dropout_p=*/0, /*is_causal=*/false, /*scale=*/1.0);
  const at::Tensor weights = at::softmax(at::matmul(query, key.transpose(-1, -2)), -1);
  return {"attention", placement, found, at::matmul(weights, value)};
}

// The encoder alone may have cuDNN's attention.
SmokeResult encoder_attention(const Placement& placement, Numbers& numbers) {
  const CudnnAttention allowed;
  return attention(placement, numbers);
}

}  // namespace

double allowed_error(ComputeType type) {
  switch (type) {
    case ComputeType::int8:
    case ComputeType::float32:
      return 0.005;
    case ComputeType::float16:
      return 0.01;
    case ComputeType::bfloat16:
      return 0.05;
  }
  return 0;
}

Result<void> check(const SmokeResult& result) {
  const at::Tensor found = result.found.to(at::kCPU, at::kFloat);
  const double allowed = allowed_error(result.placement.type);
  const auto n_wrong = at::isfinite(found).logical_not().sum().item<std::int64_t>();
  if (n_wrong > 0) {
    return failed(result, "gave " + std::to_string(n_wrong) + " of " +
                              std::to_string(found.numel()) + " numbers that are not finite (" +
                              percent(allowed) + " of error is allowed)");
  }
  const double largest = result.expected.abs().max().item<double>();
  const double error = (found - result.expected).abs().max().item<double>() / largest;
  if (error > allowed) {
    return failed(result, "differs from the CPU's by " + percent(error) + ", and " +
                              percent(allowed) + " is allowed");
  }
  return {};
}

Result<void> smoke_run(const Placement& placement) {
  const OneThread one_thread;
  std::vector<ComputeType> types{ComputeType::float32};
  // int8 runs on kernels of our own, which their tests judge.
  const bool own = placement.type == ComputeType::int8;
  if (placement.type != ComputeType::float32 && !own) types.push_back(placement.type);
  for (const ComputeType type : types) {
    for (const auto operation : {matrix_product, convolution, attention, encoder_attention}) {
      Numbers numbers;
      const auto checked = check(operation({placement.device, type}, numbers));
      if (!checked) return checked;
    }
  }
  if (!placement.int8_weights) return {};
  Numbers numbers;
  return check(int8_product(placement, numbers));
}

}  // namespace engine
