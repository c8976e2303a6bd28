#include <gtest/gtest.h>

#include <algorithm>

#include "platform/verdict/choice.h"
#include "tests/platform/verdict/world.h"

// These tests check that the user is always told why a GPU is not used.
namespace platform::test {
namespace {

bool gpu_is_usable(const std::vector<Verdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) {
    return verdict.backend != Backend::cpu && verdict.usable();
  });
}

// Returns every case in which some GPU is present, or asked for, and none can be used.
std::vector<Case> blocking_cases() {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [](const Case& one) {
    return one.backend == Backend::cpu || one.severity != Severity::blocked;
  });
  return cases;
}

void expect_words(const Finding& finding, const Case& one) {
  EXPECT_FALSE(finding.headline.empty()) << one.name;
  EXPECT_FALSE(finding.code.empty()) << one.name;
  EXPECT_FALSE(finding.link.empty()) << one.name;
  EXPECT_EQ(finding.severity, Severity::blocked) << one.name;
}

void expect_no_silence(const Case& one, DeviceRequirements request) {
  const auto verdicts = evaluate(one.world.facts, built_in(), one.world.packs, request);
  const auto lenient = choose(verdicts, request);
  if (!lenient) {
    expect_words(lenient.error().finding, one);
  } else if (lenient->verdict.backend == Backend::cpu) {
    ASSERT_TRUE(lenient->fallback) << one.name << ": a silent CPU";
    expect_words(lenient->fallback->finding, one);
    EXPECT_NE(lenient->reason.find(lenient->fallback->finding.headline), std::string::npos);
  } else {
    EXPECT_TRUE(lenient->verdict.usable());
  }
  request.require_gpu = true;
  const auto strict = choose(verdicts, request);
  if (strict) {
    EXPECT_NE(strict->verdict.backend, Backend::cpu) << one.name;
  } else {
    expect_words(strict.error().finding, one);
  }
}

TEST(SilentCpu, IsNotReachedByAnyBlockedCauseThroughAuto) {
  const auto cases = blocking_cases();
  ASSERT_GT(cases.size(), 60U);
  for (const auto& one : cases) {
    DeviceRequirements request = one.world.request;
    if (request.device != DeviceRequest{}) continue;  // asked for by name: the test below
    ASSERT_FALSE(gpu_is_usable(judge(one.world))) << one.name;
    expect_no_silence(one, request);
  }
}

TEST(SilentCpu, IsNotReachedByAnyBlockedCauseThroughANamedDevice) {
  for (const auto& one : blocking_cases()) {
    DeviceRequirements request = one.world.request;
    request.device.backend = one.backend;
    expect_no_silence(one, request);
    if (one.backend == Backend::mps) continue;
    request.device.index = 0;
    expect_no_silence(one, request);
    request.device.index = 7;
    expect_no_silence(one, request);
  }
}

TEST(SilentCpu, IsNotReachedBesideACardOfAnotherBackend) {
  for (const auto& one : blocking_cases()) {
    for (const Backend backend : {Backend::cuda, Backend::rocm, Backend::mps}) {
      DeviceRequirements request = one.world.request;
      request.device = {backend, std::nullopt};
      expect_no_silence(one, request);
    }
  }
}

TEST(SilentCpu, OnlyADeviceWithoutABlockedFindingIsEverUsable) {
  for (const auto& one : all_cases()) {
    for (const auto& verdict : judge(one.world)) {
      const bool blocked =
          std::any_of(verdict.findings.begin(), verdict.findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::blocked; });
      EXPECT_EQ(verdict.usable(), !blocked) << one.name;
      if (verdict.usable()) {
        EXPECT_FALSE(verdict.pack.worker.empty()) << one.name;
        EXPECT_TRUE(verdict.index || verdict.backend == Backend::cpu) << one.name;
      }
    }
  }
}

}  // namespace
}  // namespace platform::test
