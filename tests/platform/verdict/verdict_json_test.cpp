#include "platform/verdict/verdict_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

TEST(VerdictJson, ShowsADeviceAndItsFindings) {
  World world = nvidia_machine();
  world.facts.nvidia.module_version = "470.82.00";
  const nlohmann::json json = judge(world, Backend::cuda);
  EXPECT_EQ(json["device"], "cuda:0");
  EXPECT_EQ(json["backend"], "cuda");
  EXPECT_EQ(json["pack"], "cuda-13");
  EXPECT_EQ(json["status"], "blocked");
  EXPECT_EQ(json["compute_type"], "float16");
  EXPECT_EQ(json["memory_free"], 11 * gib_bytes);
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["code"], "CUDA_DRIVER_TOO_OLD");
  EXPECT_EQ(finding["severity"], "blocked");
  EXPECT_EQ(finding["evidence"]["found"], "470.82.00");
  EXPECT_EQ(finding["evidence"]["needed"], "580");
  EXPECT_EQ(finding["evidence"]["read_from"], "/proc/driver/nvidia/version");
  EXPECT_FALSE(finding["fix"].empty());
  EXPECT_EQ(finding["link"], "docs/gpu-findings.md#cuda_driver_too_old");
}

TEST(VerdictJson, LeavesOutWhatIsNotKnown) {
  const nlohmann::json json = Verdict{.device_name = "x"};
  EXPECT_FALSE(json.contains("memory_free"));
  EXPECT_FALSE(json.contains("pci_address"));
  EXPECT_FALSE(json.contains("pack"));
}

TEST(VerdictJson, ShowsAChoiceWithItsFallback) {
  World world = nvidia_machine();
  world.packs.pop_back();
  const auto choice = choose(judge(world), world.request);
  ASSERT_TRUE(choice);
  const nlohmann::json json = *choice;
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json["fallback"]["wanted"], "auto");
  EXPECT_EQ(json["fallback"]["finding"]["code"], "CUDA_PACK_MISSING");
  EXPECT_TRUE(json["next"].empty());
  EXPECT_NE(json["reason"].get<std::string>().find("RTX 3060"), std::string::npos);
}

TEST(VerdictJson, ShowsAChoiceAndWhatComesNext) {
  const World world = nvidia_machine();
  const nlohmann::json json = *choose(judge(world), world.request);
  EXPECT_EQ(json["device"], "cuda:0");
  EXPECT_FALSE(json.contains("fallback"));
  EXPECT_EQ(json["next"][0]["device"], "cpu");
}

}  // namespace
}  // namespace platform::test
