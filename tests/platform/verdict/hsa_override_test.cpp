#include <gtest/gtest.h>

#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

// HSA_OVERRIDE_GFX_VERSION is suggested only for chips on which it is known to help, as the last
// step.
namespace platform::test {
namespace {

World with_gfx(const std::string& gfx) {
  World world = amd_machine();
  world.facts.amd.nodes[0].gfx = world.facts.native.hip.devices[0].gfx = gfx;
  return world;
}

bool names_override(const std::string& step) {
  return step.find("HSA_OVERRIDE_GFX_VERSION=") != std::string::npos;
}

std::vector<std::string> fix_of(const std::string& gfx) {
  const Verdict verdict = judge(with_gfx(gfx), Backend::rocm);
  EXPECT_EQ(verdict.headline()->code, code::hip_no_kernels) << gfx;
  return verdict.headline()->fix;
}

TEST(HsaOverride, IsTheLastStepForItsChips) {
  for (const char* gfx : {"gfx1031", "gfx1032", "gfx1034", "gfx1035", "gfx1036"}) {
    const auto fix = fix_of(gfx);
    ASSERT_FALSE(fix.empty());
    EXPECT_TRUE(names_override(fix.back())) << gfx << ": " << fix.back();
    EXPECT_NE(fix.back().find("10.3.0"), std::string::npos) << fix.back();
    EXPECT_NE(fix.back().find("nofficial"), std::string::npos) << fix.back();
    EXPECT_EQ(std::count_if(fix.begin(), fix.end(), names_override), 1) << gfx;
  }
}

TEST(HsaOverride, IsNamedForNoOtherChip) {
  for (const char* gfx : {"gfx1010", "gfx1012", "gfx1103", "gfx1152"}) {
    const auto fix = fix_of(gfx);
    EXPECT_TRUE(std::none_of(fix.begin(), fix.end(), names_override)) << gfx;
  }
}

TEST(HsaOverride, ThatIsSetCountsForTheKernels) {
  World world = with_gfx("gfx1031");
  // HIP then reports the chip that the override names.
  world.facts.native.hip.devices[0].gfx = "gfx1030";
  world.set("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
  const Verdict verdict = judge(world, Backend::rocm);
  EXPECT_EQ(verdict.status, Status::degraded);
  EXPECT_EQ(verdict.architecture, "gfx1031");
  EXPECT_EQ(verdict.headline()->code, code::hsa_override_set);
}

TEST(HsaOverride, OfAnotherChipThanTheKernelsDoesNotHelp) {
  World world = with_gfx("gfx1031");
  world.set("HSA_OVERRIDE_GFX_VERSION", "10.1.0");
  const Verdict verdict = judge(world, Backend::rocm);
  EXPECT_FALSE(verdict.usable());
  EXPECT_EQ(verdict.headline()->code, code::hip_no_kernels);
}

TEST(NamedCard, SaysWhichKernelsThereAre) {
  World world = with_gfx("gfx1031");
  world.facts.native.hip.devices[0].name = "AMD Radeon RX 6700 XT";
  const std::string headline = judge(world, Backend::rocm).headline()->headline;
  EXPECT_TRUE(headline.starts_with("AMD Radeon RX 6700 XT (gfx1031) found")) << headline;
  EXPECT_NE(headline.find("gfx906, gfx1030, gfx1100"), std::string::npos) << headline;
}

}  // namespace
}  // namespace platform::test
