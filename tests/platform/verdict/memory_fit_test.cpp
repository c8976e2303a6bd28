#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/judgement.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

World with_free(std::int64_t free, const char* model = "large") {
  World world = nvidia_machine();
  world.request.model = *built_in().find_model(model);
  world.facts.native.nvml.devices[0].free_memory = free;
  return world;
}

// Returns the step that names what would fit; empty if none does.
std::string suggestion(const World& world) {
  const Verdict verdict = judge(world, Backend::cuda);
  for (const auto& finding : verdict.findings) {
    if (!finding.code.starts_with("MEMORY_")) continue;
    for (const auto& step : finding.fix) {
      if (const auto colon = step.find(": "); colon != std::string::npos) {
        return step.substr(colon + 2);
      }
    }
  }
  return "";
}

std::string code_of(const World& world) {
  const Verdict verdict = judge(world, Backend::cuda);
  return verdict.headline() ? verdict.headline()->code : "";
}

TEST(MemoryFit, IsTightBetweenTheFormulaAndTheFactor) {
  // The model needs 4055 MiB by the formula, 4867 with the factor.
  EXPECT_EQ(judge(with_free(4035 * mib), Backend::cuda).status, Status::blocked);
  EXPECT_EQ(judge(with_free(4075 * mib), Backend::cuda).status, Status::degraded);
  EXPECT_EQ(judge(with_free(4850 * mib), Backend::cuda).status, Status::degraded);
  EXPECT_EQ(judge(with_free(4880 * mib), Backend::cuda).status, Status::ok);
}

TEST(MemoryFit, HeadlineHasBothFigures) {
  const Verdict verdict = judge(with_free(3 * gib_bytes), Backend::cuda);
  EXPECT_EQ(verdict.headline()->code, code::memory_too_small);
  EXPECT_EQ(verdict.headline()->evidence.found, "3.0 GiB");
  EXPECT_EQ(verdict.headline()->evidence.needed, "4.8 GiB");
  EXPECT_NE(verdict.headline()->headline.find("the model large"), std::string::npos);
}

TEST(MemoryFit, SuggestsTheNarrowerTypeFirst) {
  World world = with_free(6 * gib_bytes);
  world.request.compute_type = "float32";
  EXPECT_EQ(suggestion(world), "compute type float16");
}

TEST(MemoryFit, SuggestsInt8WeightsBeforeASmallerModel) {
  EXPECT_EQ(suggestion(with_free(3400 * mib)), "compute type int8");
  World world = with_free(3400 * mib);
  world.request.compute_type = "float32";
  EXPECT_EQ(suggestion(world), "compute type int8");
}

TEST(MemoryFit, SuggestsTheLargestModelThatFits) {
  EXPECT_EQ(suggestion(with_free(3 * gib_bytes)), "model large-v3-turbo");
  EXPECT_EQ(suggestion(with_free(1400 * mib)), "model small");
}

TEST(MemoryFit, SuggestsNoModelThatKnowsOnlyEnglish) {
  EXPECT_EQ(suggestion(with_free(1700 * mib, "medium")), "model small");
  EXPECT_EQ(suggestion(with_free(1700 * mib, "large-v3-turbo")), "model small");
  EXPECT_EQ(suggestion(with_free(1500 * mib, "distil-large-v3")), "model small");
}

TEST(MemoryFit, SuggestsTheNarrowerTypeOnEveryGpu) {
  const auto fixes = [](const World& world, Backend backend) {
    const Verdict verdict = judge(world, backend);
    return joined(verdict.headline()->fix);
  };
  World amd = amd_machine(), apple = apple_machine();
  for (World* world : {&amd, &apple}) {
    world->request.model = *built_in().find_model("large");
    world->request.compute_type = "float32";
  }
  amd.facts.native.hip.devices[0].free_memory = 6 * gib_bytes;
  apple.facts.native.metal.devices[0].recommended_working_set = 7 * gib_bytes;
  EXPECT_NE(fixes(amd, Backend::rocm).find("compute type float16"), std::string::npos);
  EXPECT_NE(fixes(apple, Backend::mps).find("compute type float16"), std::string::npos);
}

TEST(MemoryFit, SuggestsOneSequenceWhereNoModelFitsTheBatch) {
  World world = with_free(820 * mib, "base");
  world.request.batch = 8;
  EXPECT_EQ(code_of(world), code::memory_too_small);
  EXPECT_EQ(suggestion(world), "batch 1 and beam 1");
}

TEST(MemoryFit, SuggestsNothingWhereNothingFits) {
  EXPECT_EQ(suggestion(with_free(100 * mib, "tiny")), "");
  EXPECT_EQ(code_of(with_free(100 * mib, "tiny")), code::memory_too_small);
}

TEST(MemoryFit, AutoTakesTheNarrowerTypeOfASlowCard) {
  World world = with_free(5 * gib_bytes);
  world.facts.native.cuda.devices[0].compute_capability = {6, 1};
  world.pack(Backend::cuda).build = {.backend = Backend::cuda,
                                     .torch = "2.11.0",
                                     .variant = "cu126",
                                     .cuda = "12.6",
                                     .cudnn = "9.10.2.21"};
  EXPECT_EQ(code_of(world), code::memory_reduced_precision);
  EXPECT_EQ(judge(world, Backend::cuda).compute_type, "float16");
  world.facts.native.nvml.devices[0].free_memory = 11 * gib_bytes;
  EXPECT_EQ(judge(world, Backend::cuda).compute_type, "float32");
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok);
}

TEST(MemoryFit, AutoLeavesATypeThatIsTightWhereTheNarrowerIsNot) {
  World world = plain_machine();
  world.facts.cpu.avx512_bf16 = false;
  world.facts.memory.available = 480 * mib;  // float32: 460, or 506 with the factor
  const Verdict verdict = judge(world, Backend::cpu);
  EXPECT_EQ(verdict.compute_type, "int8");
  EXPECT_EQ(verdict.status, Status::ok_with_notes);
  world.request.compute_type = "float32";
  EXPECT_EQ(judge(world, Backend::cpu).headline()->code, code::memory_tight);
}

TEST(MemoryFit, CountsTheLimitOfTheContainer) {
  World world = plain_machine();
  world.facts.memory.limit = 300 * mib;
  world.facts.memory.in_use = 150 * mib;
  const Verdict verdict = judge(world, Backend::cpu);
  EXPECT_EQ(verdict.headline()->code, code::memory_too_small);
  EXPECT_NE(verdict.headline()->evidence.read_from.find("cgroup"), std::string::npos);
}

TEST(MemoryFit, IsNotJudgedWithoutAModel) {
  World world = with_free(1 * mib);
  world.request.model.reset();
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok);
  EXPECT_EQ(judge(world, Backend::cuda).need, 0);
}

TEST(MemoryFit, CountsTheScoresWhereFlashAttentionIsNotWanted) {
  World world = nvidia_machine();
  const auto fused = judge(world, Backend::cuda).need;
  world.request.flash_attn = false;
  EXPECT_GT(judge(world, Backend::cuda).need, fused);
}

}  // namespace
}  // namespace platform::test
