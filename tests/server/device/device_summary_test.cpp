#include "server/device/device_summary.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using platform::Backend;
using platform::Status;

platform::ChoiceResult chosen(bool card_works, platform::DeviceRequest wanted = {},
                              bool require_gpu = false) {
  platform::Verdict card{.pack = {.name = "cuda-13", .worker = "w"},
                         .backend = Backend::cuda,
                         .index = 0,
                         .device_name = "NVIDIA RTX",
                         .status = card_works ? Status::ok : Status::blocked};
  if (!card_works) card.findings.push_back({.code = "A_CODE", .headline = "NVIDIA RTX is broken"});
  platform::Verdict cpu{.pack = {.name = "cpu", .worker = "w"},
                        .backend = Backend::cpu,
                        .device_name = "a CPU",
                        .status = Status::ok};
  return platform::choose({card, cpu}, {.device = wanted, .require_gpu = require_gpu});
}

TEST(DeviceSummary, NamesTheDeviceThatWorks) {
  const auto choice = chosen(true);
  EXPECT_TRUE(headline(choice).starts_with("scribed uses cuda:0: ")) << headline(choice);
  EXPECT_EQ(consequence(choice), "");
  EXPECT_FALSE(cause(choice));
}

TEST(DeviceSummary, NamesTheCauseBeforeTheConsequence) {
  const auto choice = chosen(false);
  EXPECT_EQ(headline(choice), "NVIDIA RTX is broken (A_CODE)");
  EXPECT_EQ(consequence(choice), "scribed uses cpu (a CPU) instead");
}

TEST(DeviceSummary, SaysOfARefusalWhatWasRequired) {
  const auto choice = chosen(false, {}, true);
  ASSERT_FALSE(choice);
  EXPECT_EQ(headline(choice), "NVIDIA RTX is broken (A_CODE)");
  EXPECT_NE(consequence(choice).find("GPU is required"), std::string::npos);
}

TEST(DeviceSummary, DoesNotSpeakOfAGpuWhereTheCpuIsWhatCannotDoIt) {
  const platform::ChoiceResult choice =
      platform::Refusal{{.code = "A_CODE", .headline = "a CPU is too small"}, false};
  EXPECT_EQ(consequence(choice).find("GPU"), std::string::npos) << consequence(choice);
}

TEST(WantedWorks, IsAboutTheDeviceThatWasNamed) {
  struct Row {
    bool card_works;
    platform::DeviceRequest wanted;
    bool expected;
  };
  const Row rows[] = {
      {true, {}, true},
      {false, {}, true},  // auto takes the CPU as well
      {false, {Backend::cuda, std::nullopt}, false},
      {true, {Backend::cuda, 0}, true},
      {true, {std::nullopt, 0}, true},
      {false, {std::nullopt, 0}, false},
  };
  for (const auto& row : rows) {
    const auto choice = chosen(row.card_works, row.wanted);
    EXPECT_EQ(wanted_works(choice, row.wanted), row.expected) << platform::to_string(row.wanted);
  }
  EXPECT_FALSE(wanted_works(chosen(false, {}, true), {}));
}

}  // namespace
}  // namespace server
