#include "engine/device/compute_type.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

platform::CpuFacts cpu(bool bfloat16) {
  platform::CpuFacts facts;
  facts.avx2 = true;
  facts.avx512_bf16 = bfloat16;
  return facts;
}

constexpr Device on_cpu{};
constexpr Device on_gpu{DeviceKind::cuda, 0};

TEST(ComputeType, AutoIsInt8WhereTheCpuMultipliesIt) {
  for (const bool bfloat16 : {false, true}) {
    platform::CpuFacts facts = cpu(bfloat16);
    facts.avx512_vnni = true;
    EXPECT_EQ(choose_compute_type("auto", on_cpu, facts)->type, ComputeType::int8);
    EXPECT_EQ(choose_compute_type("auto", on_gpu, facts)->type, ComputeType::float16);
  }
}

TEST(ComputeType, WithoutInt8AutoIsBfloat16OnlyWhereTheCpuHasIt) {
  EXPECT_EQ(choose_compute_type("auto", on_cpu, cpu(true))->type, ComputeType::bfloat16);
  EXPECT_EQ(choose_compute_type("auto", on_cpu, cpu(false))->type, ComputeType::float32);
  EXPECT_NE(choose_compute_type("auto", on_cpu, cpu(false))->reason.find("avx2"),
            std::string::npos);
}

TEST(ComputeType, AutoIsFloat16OnAGpuWhateverTheCpu) {
  for (const auto& device : {on_gpu, Device{DeviceKind::mps, 0}, Device{DeviceKind::rocm, 1}}) {
    EXPECT_EQ(choose_compute_type("auto", device, cpu(true))->type, ComputeType::float16);
    EXPECT_EQ(choose_compute_type("auto", device, cpu(false))->type, ComputeType::float16);
  }
}

TEST(ComputeType, ATypeAskedForIsTakenAndItsPriceIsNamed) {
  EXPECT_EQ(choose_compute_type("float32", on_cpu, cpu(true))->type, ComputeType::float32);
  const auto slow = choose_compute_type("bfloat16", on_cpu, cpu(false));
  EXPECT_EQ(slow->type, ComputeType::bfloat16);
  EXPECT_NE(slow->reason.find("float32 is faster"), std::string::npos);
  const auto on_card = choose_compute_type("bfloat16", on_gpu, cpu(false));
  EXPECT_EQ(on_card->type, ComputeType::bfloat16);
  EXPECT_EQ(on_card->reason, "bfloat16, as asked");
}

TEST(ComputeType, Float16IsForGpusOnly) {
  EXPECT_EQ(choose_compute_type("float16", on_gpu, cpu(true))->type, ComputeType::float16);
  const auto refused = choose_compute_type("float16", on_cpu, cpu(true));
  EXPECT_EQ(refused.error().code, Errc::invalid_option);
  EXPECT_NE(refused.error().fix.find("bfloat16"), std::string::npos);
}

TEST(ComputeType, AutoIsInt8OnArmWithDotProducts) {
  platform::CpuFacts facts;
  facts.neon = true;
  EXPECT_EQ(choose_compute_type("auto", on_cpu, facts)->type, ComputeType::float32);
  EXPECT_EQ(choose_compute_type("int8", on_cpu, facts)->type, ComputeType::int8);
  facts.neon_dotprod = true;
  EXPECT_EQ(choose_compute_type("auto", on_cpu, facts)->type, ComputeType::int8);
}

TEST(ComputeType, Int8IsForGpusAndForCpusWithAvx2) {
  EXPECT_EQ(choose_compute_type("int8", on_cpu, cpu(false))->type, ComputeType::int8);
  EXPECT_EQ(choose_compute_type("int8", on_cpu, {}).error().code, Errc::invalid_option);
  const auto weights = choose_compute_type("int8", on_gpu, {});
  EXPECT_EQ(weights->type, ComputeType::int8);
  EXPECT_EQ(weights->reason, "int8 weights, multiplied in float16, as asked");
}

TEST(ComputeType, AnUnknownNameIsRefused) {
  for (const auto& device : {on_cpu, on_gpu}) {
    EXPECT_EQ(choose_compute_type("int4", device, cpu(true)).error().code, Errc::invalid_option);
  }
}

TEST(ComputeType, NamesAreThoseThatAreRead) {
  for (const char* text : {"float32", "float16", "bfloat16"}) {
    EXPECT_STREQ(name(choose_compute_type(text, on_gpu, cpu(true))->type), text);
  }
}

}  // namespace
}  // namespace engine
