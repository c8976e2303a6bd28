#include "engine/model/compute_type.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

platform::CpuFacts cpu(bool bfloat16) {
  platform::CpuFacts facts;
  facts.avx2 = true;
  facts.avx512_bf16 = bfloat16;
  return facts;
}

TEST(ComputeType, AutoIsBfloat16OnlyWhereTheCpuHasIt) {
  EXPECT_EQ(choose_compute_type("auto", cpu(true))->type, ComputeType::bfloat16);
  EXPECT_EQ(choose_compute_type("auto", cpu(false))->type, ComputeType::float32);
  EXPECT_NE(choose_compute_type("auto", cpu(false))->reason.find("avx2"), std::string::npos);
}

TEST(ComputeType, ATypeAskedForIsTakenAndItsPriceIsNamed) {
  EXPECT_EQ(choose_compute_type("float32", cpu(true))->type, ComputeType::float32);
  const auto slow = choose_compute_type("bfloat16", cpu(false));
  EXPECT_EQ(slow->type, ComputeType::bfloat16);
  EXPECT_NE(slow->reason.find("float32 is faster"), std::string::npos);
}

TEST(ComputeType, AnUnknownNameIsRefused) {
  EXPECT_EQ(choose_compute_type("int4", cpu(true)).error().code, Errc::invalid_option);
}

}  // namespace
}  // namespace engine
