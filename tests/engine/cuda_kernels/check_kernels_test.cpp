#include "engine/cuda_kernels/check_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "tests/engine/cuda_kernels/forwarding_kernels.h"

namespace engine {
namespace {

// The kernels' own bodies on the CPU against libtorch's operations there.
class CheckKernels : public testing::TestWithParam<Placement> {};

TEST_P(CheckKernels, TheTwinsComputeWhatLibtorchsOperationsDo) {
  const auto kernels = make_twin_kernels();
  const auto checks = check_kernels(*kernels, GetParam(), /*n=*/128);
  EXPECT_EQ(checks.size(), 24u);  // eight for each of three numbers of rows
  for (const KernelCheck& check : checks) {
    EXPECT_TRUE(check.passed) << check.kernel << ": " << check.difference << " and "
                              << check.largest << " of " << check.bound;
    EXPECT_GT(check.bound, 0);
  }
  std::string why;
  EXPECT_TRUE(may_be_used(checks, why));
}

INSTANTIATE_TEST_SUITE_P(Types, CheckKernels,
                         testing::Values(Placement{at::kCPU, ComputeType::float16},
                                         Placement{at::kCPU, ComputeType::bfloat16},
                                         Placement{at::kCPU, ComputeType::float16,
                                                   /*int8_weights=*/true}),
                         [](const auto& tested) {
                           const Placement& placement = tested.param;
                           return std::string(name(placement.type)) +
                                  (placement.int8_weights ? "_from_int8" : "");
                         });

// Wrong kernels of several kinds.
class WrongKernels : public ForwardingKernels {
 public:
  enum class Fault {
    scaled,
    one_row,
    one_number,
    not_a_number,
    throws,
    attends_to_others,
    embeds_others,
    scales_of_others,
    ignores_bias
  };
  explicit WrongKernels(Fault fault) : fault_(fault) {}

  void linear(const FusedLinear& call) override {
    if (fault_ == Fault::throws) TORCH_CHECK(false, "no kernel image is available");
    FusedLinear given = call;
    if (fault_ == Fault::scales_of_others) given.matrix.weight = others_scales(call.matrix.weight);
    ForwardingKernels::linear(given);
    if (fault_ == Fault::scaled) call.out.mul_(1.02);
    if (fault_ == Fault::one_row) call.out[call.rows - 1].zero_();
    if (fault_ == Fault::one_number) call.out[0][7] += 1;
    if (fault_ == Fault::not_a_number) call.out.fill_(std::nan(""));
  }
  void attention(const FusedAttention& call) override {
    FusedAttention wrong = call;
    if (fault_ == Fault::attends_to_others) wrong.slots = (call.slots + 1).remainder(5);
    if (fault_ == Fault::scales_of_others) wrong.values = others_scales(call.values);
    if (fault_ == Fault::ignores_bias) wrong.key_bias = at::Tensor();
    ForwardingKernels::attention(wrong);
  }
  void embed(const FusedEmbedding& call) override {
    FusedEmbedding wrong = call;
    if (fault_ == Fault::embeds_others) wrong.places = call.places.flip(0).contiguous();
    ForwardingKernels::embed(wrong);
  }

 private:
  static StoredRows others_scales(const StoredRows& rows) {
    if (!rows.is_int8()) return rows;
    const at::Tensor& scales = rows.scales;
    return {rows.values, at::empty_strided(scales.sizes(), scales.strides(), scales.options())
                             .copy_(scales.roll(1, -1))};
  }

  Fault fault_;
};

TEST(WrongKernels, AreLeftOutWithASentence) {
  using Fault = WrongKernels::Fault;
  for (const Fault fault :
       {Fault::scaled, Fault::one_row, Fault::one_number, Fault::not_a_number, Fault::throws,
        Fault::attends_to_others, Fault::embeds_others, Fault::ignores_bias}) {
    for (const bool int8 : {false, true}) {
      WrongKernels kernels(fault);
      std::string why;
      const Placement placement{at::kCPU, ComputeType::float16, int8};
      EXPECT_FALSE(may_be_used(check_kernels(kernels, placement, 64), why));
      EXPECT_TRUE(why.starts_with("the fused kernels are left out: ")) << why;
    }
  }
}

TEST(WrongKernels, ThatTakeOtherRowsScalesAreLeftOutInInt8) {
  WrongKernels kernels(WrongKernels::Fault::scales_of_others);
  std::string why;
  const auto checks =
      check_kernels(kernels, {at::kCPU, ComputeType::float16, /*int8_weights=*/true}, 64);
  EXPECT_FALSE(may_be_used(checks, why));
  for (const KernelCheck& check : checks) {
    const bool has_scales = !check.kernel.starts_with("embedding") &&
                            !check.kernel.starts_with("attention") &&
                            !check.kernel.starts_with("logits");
    EXPECT_EQ(check.passed, !has_scales) << check.kernel;
  }
}

TEST(FusedKernels, RefuseWhatDoesNotFit) {
  const auto kernels = make_twin_kernels();
  const at::Tensor x = at::zeros({16, 64}, at::kHalf);
  FusedLinear call{
      .x = x, .matrix = {{at::zeros({64, 64}, at::kHalf)}}, .out = x.clone(), .rows = 3};
  EXPECT_NO_THROW(kernels->linear(call));
  call.rows = 17;
  EXPECT_THROW(kernels->linear(call), c10::Error);
  call.rows = 3;
  for (const auto& weight :
       {StoredRows{at::zeros({64, 60}, at::kHalf)}, StoredRows{at::zeros({64, 64}, at::kBFloat16)},
        StoredRows{at::zeros({64, 64}, at::kChar)},
        StoredRows{at::zeros({64, 64}, at::kChar), at::zeros({64}, at::kFloat)},
        StoredRows{at::zeros({64, 64}, at::kChar), at::zeros({63}, at::kHalf)}}) {
    call.matrix.weight = weight;
    EXPECT_THROW(kernels->linear(call), c10::Error);
  }
  call.matrix.weight = rounded_to_int8(at::zeros({64, 64}, at::kHalf));
  EXPECT_NO_THROW(kernels->linear(call));
}

TEST(FusedKernels, RefuseScalesThatLieOtherwiseThanTheirKeys) {
  const auto kernels = make_twin_kernels();
  const StoredRows windows = rounded_to_int8(at::zeros({2, 1, 8, 64}, at::kHalf));
  const at::Tensor x = at::zeros({1, 64}, at::kHalf);
  FusedAttention call{.query = x,
                      .keys = windows,
                      .values = windows,
                      .slots = at::zeros({1}, at::kLong),
                      .out = x.clone(),
                      .rows = 1,
                      .length = 8};
  EXPECT_NO_THROW(kernels->attention(call));
  call.values.scales = at::zeros({2, 8, 1}, at::kHalf).transpose(1, 2);
  EXPECT_THROW(kernels->attention(call), c10::Error);
  call.values = {to_numbers(windows)};
  EXPECT_THROW(kernels->attention(call), c10::Error) << "values are not in int8, keys are";
}

TEST(FusedKernels, RefuseABiasOfOtherKeys) {
  const auto kernels = make_twin_kernels();
  const StoredRows windows{at::zeros({2, 1, 8, 64}, at::kHalf)};
  const at::Tensor x = at::zeros({1, 64}, at::kHalf);
  FusedAttention call{.query = x,
                      .keys = windows,
                      .values = windows,
                      .key_bias = at::zeros({2, 8}),
                      .slots = at::zeros({1}, at::kLong),
                      .out = x.clone(),
                      .rows = 1,
                      .length = 8};
  EXPECT_NO_THROW(kernels->attention(call));
  for (const at::Tensor& bias :
       {at::zeros({2, 7}), at::zeros({1, 8}), at::zeros({2, 8}, at::kHalf)}) {
    call.key_bias = bias;
    EXPECT_THROW(kernels->attention(call), c10::Error);
  }
}

TEST(FusedLayer, TakesEightKernels) {
  int count = 0;
  CountedKernels kernels(count);
  const at::Tensor numbers = at::zeros({16}, at::kLong);
  const FusedStep step{.x = at::zeros({16, 64}, at::kHalf),
                       .slots = numbers,
                       .windows = numbers,
                       .positions = numbers,
                       .history = at::zeros({2, 1, 1, 8, 64}, at::kHalf),
                       .audio = {at::zeros({2, 1, 1, 8, 64}, at::kHalf)},
                       .rows = 16,
                       .length = 1};
  fused_layer(kernels, {}, step, make_buffers(step.x));
  EXPECT_EQ(count, 8);
}

}  // namespace
}  // namespace engine
