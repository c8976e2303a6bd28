#include "platform/cpu.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

std::string cpuinfo(const std::string& flags) {
  std::string text;
  for (int processor = 0; processor < 4; ++processor) {
    text += "processor\t: " + std::to_string(processor) + "\nmodel name\t: Test CPU 9000\n" +
            "physical id\t: 0\ncore id\t\t: " + std::to_string(processor / 2) +
            "\nflags\t\t: " + flags + "\n\n";
  }
  return text;
}

TEST(CpuFacts, CountsSmtSiblingsAsOneCore) {
  const CpuFacts facts = parse_cpuinfo(cpuinfo("avx2"));
  EXPECT_EQ(facts.logical_cores, 4);
  EXPECT_EQ(facts.physical_cores, 2);
  EXPECT_EQ(facts.model_name, "Test CPU 9000");
}

TEST(CpuFacts, NamesTheBestInstructionSet) {
  const std::pair<const char*, const char*> cases[] = {
      {"fpu sse2", "baseline"},
      {"sse2 avx2 fma", "avx2"},
      {"avx2 avx_vnni", "avx_vnni"},
      {"avx2 avx512f", "avx512"},
      {"avx2 avx512f avx512_vnni", "avx512_vnni"},
      {"avx2 avx512f avx512_vnni avx512_bf16", "avx512_bf16"},
      {"avx2 avx_vnni avx512f avx512_vnni avx512_bf16 amx_bf16 amx_tile amx_int8", "amx"},
      {"avx2 avx512f avx512_vnni avx512_bf16 amx_bf16", "avx512_bf16"},
  };
  for (const auto& [flags, isa] : cases) EXPECT_EQ(parse_cpuinfo(cpuinfo(flags)).isa(), isa);
}

TEST(CpuFacts, Bfloat16IsFastOnlyWithItsInstructions) {
  EXPECT_FALSE(parse_cpuinfo(cpuinfo("avx2 avx512f")).fast_bfloat16());
  EXPECT_TRUE(parse_cpuinfo(cpuinfo("avx512_bf16")).fast_bfloat16());
  EXPECT_TRUE(parse_cpuinfo(cpuinfo("amx_bf16 amx_int8")).fast_bfloat16());
}

TEST(CpuFacts, Int8IsFastWithVnniOfEitherKind) {
  EXPECT_FALSE(parse_cpuinfo(cpuinfo("avx2 avx512f")).fast_int8());
  EXPECT_TRUE(parse_cpuinfo(cpuinfo("avx2 avx_vnni")).fast_int8());
  EXPECT_TRUE(parse_cpuinfo(cpuinfo("avx2 avx512f avx512_vnni")).fast_int8());
}

TEST(CpuFacts, NamesTheBestInstructionSetOfArm) {
  const std::pair<const char*, const char*> cases[] = {
      {"fp asimd evtstrm", "neon"},
      {"fp asimd asimddp", "neon_dotprod"},
      {"fp asimd asimddp i8mm", "neon_dotprod"},
      {"fp asimd asimddp i8mm bf16", "neon_i8mm"},
  };
  for (const auto& [features, isa] : cases) {
    const CpuFacts facts = parse_cpuinfo(std::string("processor : 0\nFeatures : ") + features);
    EXPECT_EQ(facts.isa(), isa);
    EXPECT_TRUE(facts.has_int8());
    EXPECT_EQ(facts.fast_int8(), facts.neon_dotprod);
    EXPECT_EQ(facts.fast_bfloat16(), facts.neon_i8mm);
    EXPECT_EQ(limited_to(facts, "neon")->isa(), "neon");
  }
}

TEST(CpuFacts, AnEmptyDescriptionIsOneCore) {
  const CpuFacts facts = parse_cpuinfo("");
  EXPECT_EQ(facts.logical_cores, 1);
  EXPECT_EQ(facts.physical_cores, 1);
}

TEST(CpuFacts, KnowsWhetherFlagsWereRead) {
  EXPECT_TRUE(parse_cpuinfo(cpuinfo("sse2")).flags_known);
  EXPECT_TRUE(parse_cpuinfo("Features\t: fp asimd\n").flags_known);
  EXPECT_FALSE(parse_cpuinfo("processor\t: 0\n").flags_known);
}

TEST(CpuQuota, IsRoundedUpToWholeCores) {
  EXPECT_EQ(parse_cpu_quota("200000 100000\n"), 2);
  EXPECT_EQ(parse_cpu_quota("250000\n 100000\n"), 3);
  EXPECT_EQ(parse_cpu_quota("1000 100000"), 1);
  for (const char* none : {"max 100000\n", "-1\n 100000\n", "0 0", " ", ""}) {
    EXPECT_GT(parse_cpu_quota(none), 1000) << none;
  }
}

TEST(CpuFacts, ThisMachineHasAtLeastOneCore) {
  const CpuFacts facts = probe_cpu();
  EXPECT_GE(facts.physical_cores, 1);
  EXPECT_LE(facts.physical_cores, facts.logical_cores);
}

TEST(CpuFacts, AreLimitedToALevel) {
  const CpuFacts all =
      parse_cpuinfo(cpuinfo("avx2 avx_vnni avx512f avx512_vnni avx512_bf16 amx_bf16 amx_int8"));
  for (const char* level : {"avx2", "avx_vnni", "avx512", "avx512_vnni", "avx512_bf16", "amx"}) {
    const CpuFacts limited = *limited_to(all, level);
    EXPECT_EQ(limited.isa(), level);
    EXPECT_EQ(limited.physical_cores, 2);
  }
  EXPECT_EQ(limited_to(all, "")->isa(), "amx");
}

// The first CPUs with AVX-512 have no VNNI of any kind.
TEST(CpuFacts, TheLevelOfAvx512HasNoAvxVnni) {
  const CpuFacts all = parse_cpuinfo(cpuinfo("avx2 avx_vnni avx512f avx512_vnni"));
  EXPECT_FALSE(limited_to(all, "avx512")->fast_int8());
  EXPECT_TRUE(limited_to(all, "avx_vnni")->fast_int8());
}

TEST(CpuFacts, ALevelThatIsNotThereIsAnError) {
  const CpuFacts old = parse_cpuinfo(cpuinfo("sse2 avx2 fma"));
  const auto beyond = limited_to(old, "avx512_vnni");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "SCRIBED_CPU is 'avx512_vnni', and this CPU has no more than avx2");
  ASSERT_FALSE(limited_to(old, "sse9"));
  EXPECT_EQ(limited_to(old, "sse9").error().message,
            "SCRIBED_CPU is 'sse9', which is no level of a CPU");
}

}  // namespace
}  // namespace platform
