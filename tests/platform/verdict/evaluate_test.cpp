#include <gtest/gtest.h>

#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

const Finding* find(const Verdict& verdict, const std::string& code) {
  for (const auto& finding : verdict.findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

// Returns the verdict that a case is about: for a request that no device meets, the last of its
// backend.
Verdict verdict_of(const Case& one) {
  Verdict found = judge(one.world, one.backend);
  for (auto& verdict : judge(one.world)) {
    if (verdict.backend == one.backend && find(verdict, one.code)) found = verdict;
  }
  return found;
}

class Fault : public testing::TestWithParam<Case> {};

TEST_P(Fault, HasItsFinding) {
  const Verdict verdict = verdict_of(GetParam());
  const Finding* finding = find(verdict, GetParam().code);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, GetParam().severity);
  EXPECT_FALSE(finding->evidence.found.empty() && finding->evidence.needed.empty());
  EXPECT_FALSE(finding->evidence.read_from.empty());
  EXPECT_FALSE(finding->fix.empty());
  for (const auto& finding_of_any : verdict.findings) {
    EXPECT_EQ(finding_of_any.headline.find_first_of("{}[]"), std::string::npos)
        << finding_of_any.headline;
  }
}

TEST_P(Fault, NamesTheCard) {
  const Verdict verdict = verdict_of(GetParam());
  const Finding* finding = find(verdict, GetParam().code);
  ASSERT_NE(finding, nullptr);
  const FindingRow* row = built_in().find_finding(GetParam().code);
  ASSERT_NE(row, nullptr);
  if (row->headline.find("{card}") == std::string::npos) return;
  ASSERT_GT(verdict.device_name.size(), 1U);
  // The name is compared without its first letter, which may begin the sentence: "An NVIDIA card".
  EXPECT_NE(finding->headline.find(verdict.device_name.substr(1)), std::string::npos)
      << finding->headline;
}

TEST_P(Fault, DecidesTheStatusByTheWorst) {
  const Verdict verdict = verdict_of(GetParam());
  ASSERT_NE(verdict.headline(), nullptr);
  const auto blocked =
      std::any_of(verdict.findings.begin(), verdict.findings.end(),
                  [](const Finding& finding) { return finding.severity == Severity::blocked; });
  EXPECT_EQ(blocked, !verdict.usable());
  EXPECT_GE(static_cast<int>(verdict.headline()->severity), static_cast<int>(GetParam().severity));
  if (GetParam().severity == Severity::blocked) {
    EXPECT_EQ(verdict.headline()->code, GetParam().code) << "a later cause leads";
  }
  if (GetParam().severity == Severity::unknown) {
    EXPECT_EQ(verdict.status, Status::unknown);
  }
}

TEST_P(Fault, GivesTheSameAnswerTwice) {
  const auto first = judge(GetParam().world), second = judge(GetParam().world);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].status, second[i].status);
    EXPECT_EQ(first[i].findings.size(), second[i].findings.size());
  }
}

std::string title(const testing::TestParamInfo<Case>& info) {
  std::string title = std::to_string(info.index);
  bool upper = true;
  for (const char c : info.param.name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      title += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      upper = false;
    } else {
      upper = true;
    }
  }
  return title;
}

INSTANTIATE_TEST_SUITE_P(Machine, Fault, testing::ValuesIn(all_cases()), title);

TEST(Evaluate, FindsSoundMachinesSound) {
  EXPECT_EQ(judge(nvidia_machine(), Backend::cuda).status, Status::ok);
  EXPECT_EQ(judge(wsl_machine(), Backend::cuda).status, Status::ok);
  EXPECT_EQ(judge(amd_machine(), Backend::rocm).status, Status::ok);
  EXPECT_EQ(judge(apple_machine(), Backend::mps).status, Status::ok_with_notes);
  EXPECT_EQ(judge(plain_machine(), Backend::cpu).status, Status::ok);
}

TEST(Evaluate, DescribesTheDevice) {
  const Verdict verdict = judge(nvidia_machine(), Backend::cuda);
  EXPECT_EQ(verdict.device(), "cuda:0");
  EXPECT_EQ(verdict.device_name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(verdict.architecture, "8.6");
  EXPECT_EQ(verdict.compute_type, "float16");
  EXPECT_EQ(verdict.total_memory, 12 * gib_bytes);
  EXPECT_EQ(verdict.free_memory, 11 * gib_bytes);
  EXPECT_GT(verdict.need, 654 * mib);
}

TEST(Evaluate, AlwaysJudgesTheCpu) {
  World world = plain_machine();
  world.packs.clear();
  EXPECT_EQ(judge(world).size(), 1U);
  for (const auto& one : all_cases()) {
    const auto verdicts = judge(one.world);
    EXPECT_EQ(std::count_if(verdicts.begin(), verdicts.end(),
                            [](const Verdict& v) { return v.device() == "cpu"; }),
              1)
        << one.name;
  }
}

TEST(Evaluate, TheTestedBuildsKeepTheirStanding) {
  World world = nvidia_machine();
  BuildInfo& build = world.pack(Backend::cuda).build;
  build = {.backend = Backend::cuda,
           .torch = "2.2.0",
           .variant = "cu118",
           .cuda = "11.8",
           .cudnn = "8.7.0.84"};
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok);
  World plain = plain_machine();
  plain.pack(Backend::cpu).build.torch = "2.8.0";
  EXPECT_EQ(judge(plain, Backend::cpu).status, Status::ok);
}

TEST(Evaluate, AnotherCudnnIsAnotherBuildThanTheTestedOne) {
  World world = nvidia_machine();
  BuildInfo& build = world.pack(Backend::cuda).build;
  build.torch = "2.7.1";
  build.variant = "cu118";
  build.cuda = "11.8";
  build.cudnn = "9.1.0.70";
  EXPECT_EQ(judge(world, Backend::cuda).headline()->code, code::tested_with_issues);
  world.pack(Backend::cuda).libraries.cudnn = "9.5.1";
  EXPECT_EQ(find(judge(world, Backend::cuda), code::tested_with_issues), nullptr);
}

TEST(Evaluate, AGpusPackServesTheCpuWhereThereIsNoOther) {
  World world = nvidia_machine();
  std::erase_if(world.packs, [](const Pack& pack) { return pack.name == "cpu"; });
  const Verdict verdict = judge(world, Backend::cpu);
  EXPECT_EQ(verdict.pack.name, "cuda-13");
  EXPECT_TRUE(verdict.usable());
  World amd = amd_machine();
  std::erase_if(amd.packs, [](const Pack& pack) { return pack.name == "cpu"; });
  EXPECT_EQ(judge(amd, Backend::cpu).pack.name, "rocm-7");
  amd.hip_answers({.outcome = ProbeOutcome::hung});
  EXPECT_EQ(judge(amd, Backend::cpu).headline()->code, code::cpu_pack_missing);
}

TEST(Evaluate, ACardThatSaysNoArchitectureIsJudgedByItsPciId) {
  World world = nvidia_machine();
  world.facts.native.cuda.devices[0].compute_capability = {};
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok);
  EXPECT_EQ(judge(world, Backend::cuda).architecture, "8.6");
}

TEST(Evaluate, NamesTheLibraryThatTheLoaderRefusesAndItsWords) {
  World world = nvidia_machine();
  world.facts.nvidia.libraries.clear();
  world.cuda_answers({.outcome = ProbeOutcome::library_missing,
                      .library = "libcuda.so.1",
                      .text = "/opt/driver/libcuda.so.1: file too short"});
  const Verdict verdict = judge(world, Backend::cuda);
  EXPECT_NE(verdict.headline()->headline.find("/opt/driver/libcuda.so.1"), std::string::npos);
  EXPECT_EQ(verdict.headline()->evidence.found, "/opt/driver/libcuda.so.1: file too short");
}

TEST(Evaluate, SaysWhereAHangingLibraryIsLoadedOnlyOnce) {
  World world = amd_machine();
  world.hip_answers({.outcome = ProbeOutcome::hung, .function = "dlopen libamdhip64.so.7"});
  EXPECT_EQ(judge(world, Backend::rocm).headline()->evidence.found,
            "no answer from dlopen libamdhip64.so.7");
}

TEST(Evaluate, DoesNotClaimToKnowTheAttentionOfAnArchitectureOfTheFuture) {
  World world = nvidia_machine();
  world.facts.native.cuda.devices[0].compute_capability = {13, 0};
  world.pack(Backend::cuda).build.arch_list.push_back({13, 0});
  const Verdict verdict = judge(world, Backend::cuda);
  EXPECT_EQ(verdict.status, Status::unknown);
  EXPECT_EQ(find(verdict, code::attention_not_fused), nullptr);
  EXPECT_EQ(verdict.compute_type, "float32");
}

TEST(Evaluate, ALocalVersionOfAReleaseIsTheRelease) {
  World world = apple_machine();
  world.facts.native.metal.macos_version = "13.6";
  world.pack(Backend::mps).build.torch = "2.11.0+local";
  EXPECT_NE(find(judge(world, Backend::mps), code::mps_macos_too_old), nullptr);
}

TEST(Evaluate, LeadsWithTheFirstCauseAndKeepsTheOthers) {
  World world = nvidia_machine();
  world.facts.pci[0].device = 0x1b80;  // GTX 1080
  world.facts.pci[0].driver = "nouveau";
  world.facts.nvidia = {.nouveau = true};
  world.cuda_answers({.outcome = ProbeOutcome::library_missing});
  const Verdict verdict = judge(world, Backend::cuda);
  ASSERT_EQ(verdict.findings.size(), 3U);
  EXPECT_EQ(verdict.headline()->code, code::nvidia_nouveau);
  EXPECT_EQ(verdict.findings[1].code, code::cuda_no_kernel_image);
  EXPECT_EQ(verdict.findings[2].code, code::cudnn_too_new_for_card);
  EXPECT_FALSE(verdict.index);
}

TEST(Evaluate, JudgesEveryPackOnEveryDevice) {
  World world = nvidia_machine();
  Pack older = world.pack(Backend::cuda);
  older.name = "cuda-12";
  older.build.variant = "cu126";
  older.build.cuda = "12.6";
  world.packs.push_back(older);
  world.facts.native.cuda.devices.push_back(world.facts.native.cuda.devices[0]);
  world.facts.native.cuda.devices[1].index = 1;
  world.facts.native.cuda.devices[1].pci_address = "0000:02:00.0";
  EXPECT_EQ(judge(world).size(), 5U);
}

TEST(Evaluate, AnotherMakersCardIsNamedAndBlocked) {
  World world = plain_machine();
  world.facts.pci = {{.address = "0000:00:02.0",
                      .vendor = vendor_intel,
                      .device = 0x4680,
                      .name = "AlderLake-S GT1 [UHD Graphics 770]",
                      .driver = "i915"}};
  const auto verdicts = judge(world);
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].status, Status::blocked);
  EXPECT_EQ(verdicts[0].device(), "none");
  EXPECT_EQ(verdicts[0].headline()->code, code::gpu_not_supported);
  EXPECT_NE(verdicts[0].headline()->headline.find("UHD Graphics 770"), std::string::npos);
}

TEST(Evaluate, AnIndexOfACardThatTheDriverDoesNotListMeetsTheCardsOwnCause) {
  World world = nvidia_machine();
  world.cuda_answers({.outcome = ProbeOutcome::failed, .function = "cuInit", .code = 999});
  world.request.device = {Backend::cuda, 0};
  const auto verdicts = judge(world);
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].headline()->code, code::cuda_unknown_error);
}

}  // namespace
}  // namespace platform::test
