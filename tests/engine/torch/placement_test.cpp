#include "engine/torch/placement.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Placement, TensorsGetItsTypeAndDevice) {
  const at::Tensor x = at::ones({2, 2});
  for (const auto& [type, scalar] :
       {std::pair{ComputeType::float32, at::kFloat}, std::pair{ComputeType::float16, at::kHalf},
        std::pair{ComputeType::bfloat16, at::kBFloat16}}) {
    const Placement placement{at::kCPU, type};
    EXPECT_EQ(place(x, placement).scalar_type(), scalar);
    EXPECT_EQ(at::empty({1}, placement.options()).scalar_type(), scalar);
  }
  const Placement nowhere{at::kMeta, ComputeType::float16};
  EXPECT_FALSE(nowhere.on_cpu());
  EXPECT_EQ(place(x, nowhere).device(), at::Device(at::kMeta));
  EXPECT_EQ(at::empty({1}, nowhere.options()).device(), at::Device(at::kMeta));
}

TEST(Placement, WhatIsInPlaceIsNotCopied) {
  const at::Tensor x = at::ones({2, 2});
  EXPECT_TRUE(place(x, Placement{}).is_same(x));
}

}  // namespace
}  // namespace engine
