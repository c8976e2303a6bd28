#include "engine/whisper/torch_model/try_kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tests/engine/cuda_kernels/forwarding_kernels.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

KernelUse tried(StepKernels* kernels, ComputeType type, int heads = 2) {
  ModelDims dims = ToyWeights::dims();
  dims.n_text_head = heads;
  return try_kernels(kernels, {at::kCPU, type}, dims,
                     special_tokens(ToyWeights::dims().n_vocab).value(), 40);
}

TEST(KernelUse, KernelsThatGiveLibtorchsResultsMayTakeAllSteps) {
  const auto twins = make_twin_kernels();
  EXPECT_EQ(tried(twins.get(), ComputeType::float16), (KernelUse{40, "", true}));
  EXPECT_EQ(tried(twins.get(), ComputeType::bfloat16), (KernelUse{40, "", true}));
}

TEST(KernelUse, TheEnvironmentSwitchesThemOff) {
  const auto twins = make_twin_kernels();
  ASSERT_EQ(::setenv("SCRIBED_FUSED_KERNELS", "off", 1), 0);
  const KernelUse use = tried(twins.get(), ComputeType::float16);
  ASSERT_EQ(::unsetenv("SCRIBED_FUSED_KERNELS"), 0);
  EXPECT_EQ(use, (KernelUse{0, "the fused kernels are off (SCRIBED_FUSED_KERNELS)"}));
}

class WrongAttention : public ForwardingKernels {
 public:
  void attention(const FusedAttention& call) override {
    ForwardingKernels::attention(call);
    call.out.mul_(1.1);
  }
};

class WrongChoice : public ForwardingKernels {
 public:
  void choice_join(const FusedChoice& call) override {
    ForwardingKernels::choice_join(call);
    call.said[0].add_(1);
  }
};

class WrongMoves : public ForwardingKernels {
 public:
  void move_beams(const FusedMove&) override {}
};

TEST(KernelUse, SaysWhyThereAreNone) {
  const auto twins = make_twin_kernels();
  WrongAttention wrong;
  EXPECT_EQ(tried(nullptr, ComputeType::float16),
            (KernelUse{0, "this build has no fused kernels for this device"}));
  EXPECT_EQ(
      tried(twins.get(), ComputeType::float32),
      (KernelUse{0, "the fused kernels of layers compute in float16 and bfloat16 alone", true}));
  EXPECT_EQ(
      tried(twins.get(), ComputeType::float16, /*heads=*/4),
      (KernelUse{0, "the fused kernels of layers are for models whose heads are 64 wide", true}));
  const KernelUse left_out = tried(&wrong, ComputeType::float16);
  EXPECT_EQ(left_out.most_rows, 0);
  EXPECT_TRUE(left_out.chooses);
  EXPECT_TRUE(left_out.why.starts_with("the fused kernels are left out: attention"))
      << left_out.why;
}

TEST(KernelUse, KernelsThatChooseWronglyDoNothing) {
  WrongChoice choice;
  WrongMoves moves;
  for (StepKernels* wrong :
       {static_cast<StepKernels*>(&choice), static_cast<StepKernels*>(&moves)}) {
    const KernelUse left_out = tried(wrong, ComputeType::float16);
    EXPECT_EQ(left_out.most_rows, 0);
    EXPECT_FALSE(left_out.chooses);
    EXPECT_TRUE(left_out.why.starts_with("the fused kernels are left out: the ")) << left_out.why;
  }
}

// Takes the seconds of a card on which a tile of 16 rows costs the kernels as much as the first
// one, and libtorch's operations cost the same for any rows.
struct PlayedCard {
  double tile_s = 1;
  double libtorch_s = 1;
  std::vector<int> asked{};

  double operator()(int rows, bool fused) {
    if (fused) asked.push_back(rows);
    return fused ? tile_s * ((rows + 15) / 16) : libtorch_s;
  }
};

TEST(KernelUse, KernelsTakeTheStepsThatTheyDoNotMakeClearlySlower) {
  const auto kept = [](double libtorch_s, int most) {
    return keep_faster({most, ""}, PlayedCard{1, libtorch_s});
  };
  EXPECT_EQ(kept(0.5, 100), (KernelUse{0, "libtorch's operations are faster on this card"}));
  EXPECT_EQ(kept(0.9, 100), (KernelUse{0, "libtorch's operations are faster on this card"}));
  EXPECT_EQ(kept(0.95, 100), (KernelUse{16, "libtorch's operations are faster for more rows"}));
  EXPECT_EQ(kept(1, 100), (KernelUse{16, "libtorch's operations are faster for more rows"}));
  EXPECT_EQ(kept(4, 100), (KernelUse{64, "libtorch's operations are faster for more rows"}));
  EXPECT_EQ(kept(9, 100), (KernelUse{100, ""}));
  EXPECT_EQ(kept(1, 1), (KernelUse{1, ""}));
}

TEST(KernelUse, NothingIsMeasuredWhereThereAreNoKernels) {
  PlayedCard card;
  EXPECT_EQ(keep_faster({0, "no"}, std::ref(card)), (KernelUse{0, "no"}));
  EXPECT_TRUE(card.asked.empty());
}

}  // namespace
}  // namespace engine
