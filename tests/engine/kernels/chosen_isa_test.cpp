#include "engine/kernels/chosen_isa.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "platform/cpu.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

platform::CpuFacts cpu_with(const std::string& flags) {
  return platform::parse_cpuinfo("processor : 0\nflags : " + flags + "\n");
}

class InstructionSets : public testing::TestWithParam<Isa> {};

// Says which of them the other tests could not run on this machine.
TEST_P(InstructionSets, AreTestedOnThisMachine) {
  if (!has(platform::probe_cpu(), GetParam())) {
    GTEST_SKIP() << "this machine has no " << name(GetParam())
                 << ", or SCRIBED_CPU leaves it out: its kernels are NOT TESTED here";
  }
}

INSTANTIATE_TEST_SUITE_P(All, InstructionSets, testing::ValuesIn(own_isas),
                         [](const auto& isa) { return name(isa.param); });

#if defined(__aarch64__)
TEST(Isa, IsTheBestThatTheCpuHas) {
  EXPECT_EQ(best_isa(cpu_with("fp asimd")), Isa::neon);
  EXPECT_EQ(best_isa(cpu_with("fp asimd asimddp")), Isa::neon_dotprod);
  EXPECT_EQ(best_isa(cpu_with("fp asimd asimddp i8mm")), Isa::neon_dotprod);
  EXPECT_EQ(best_isa(cpu_with("fp asimd asimddp i8mm bf16")), Isa::neon_i8mm);
}
#else
TEST(Isa, IsTheBestThatTheCpuHas) {
  EXPECT_EQ(best_isa(cpu_with("sse2")), std::nullopt);
  EXPECT_EQ(best_isa(cpu_with("avx2 fma")), Isa::avx2);
  EXPECT_EQ(best_isa(cpu_with("avx2 fma avx_vnni")), Isa::avx_vnni);
  EXPECT_EQ(best_isa(cpu_with("avx2 avx512f")), Isa::avx512);
  EXPECT_EQ(best_isa(cpu_with("avx2 avx_vnni avx512f avx512_vnni")), Isa::avx512_vnni);
  EXPECT_EQ(best_isa(cpu_with("avx2 avx512f avx512_vnni avx512_bf16")), Isa::avx512_bf16);
  EXPECT_EQ(best_isa(cpu_with("avx2 avx512f avx512_vnni avx512_bf16 amx_int8 amx_bf16")), Isa::amx);
  EXPECT_EQ(best_isa(cpu_with("avx2 avx512f avx512_vnni amx_int8 amx_bf16")), Isa::avx512_vnni);
}
#endif

TEST(Isa, AvxVnniIsNotInAvx512) {
  EXPECT_FALSE(has(cpu_with("avx2 avx512f avx512_vnni"), Isa::avx_vnni));
  EXPECT_TRUE(has(cpu_with("avx2 avx512f avx512_vnni"), Isa::avx512));
}

TEST(Isa, ThatOfAnotherArchitectureIsNoneHere) {
  const bool arm = own_isas.front() == Isa::neon;
  EXPECT_EQ(best_isa(cpu_with(arm ? "avx2 fma" : "fp asimd asimddp")), std::nullopt);
}

TEST(ChosenIsa, IsTheBestOfThisCpuWhereItsProductsAreRight) {
  EXPECT_EQ(isa_of_this_cpu(), best_isa(platform::probe_cpu()));
}

const Kernels floor_kernels = kernels_for(own_isas.front());

void wrong_by_one(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                  const Output& out) {
  floor_kernels.gemm_int8(x, rows, weight, panels, out);
  ++static_cast<float*>(out.data)[0];
}

void no_number(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight, Panels panels,
               const Output& out) {
  floor_kernels.gemm_bfloat16(x, rows, weight, panels, out);
  static_cast<float*>(out.data)[0] = std::nanf("");
}

TEST(ChosenIsa, KernelsAgreeOnlyWhereTheirProductsDo) {
  if (isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  const Kernels& floor = floor_kernels;
  for (const Isa isa : isas_of_this_cpu()) EXPECT_TRUE(agree(kernels_for(isa), floor)) << name(isa);
  Kernels wrong = floor;
  wrong.gemm_int8 = wrong_by_one;
  EXPECT_FALSE(agree(wrong, floor));
  wrong = floor;
  wrong.gemm_bfloat16 = no_number;
  EXPECT_FALSE(agree(wrong, floor));
}

}  // namespace
}  // namespace engine::kernels
