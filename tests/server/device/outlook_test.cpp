#include "server/device/outlook.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using platform::Backend;
using platform::Status;

Survey machine(bool card_works, platform::DeviceRequest wanted = {}) {
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
  return {.request = {.device = wanted}, .verdicts = {card, cpu}};
}

TEST(Outlook, NamesTheDeviceThatWorks) {
  const auto outlook = look_ahead(machine(true), false);
  EXPECT_TRUE(outlook.headline().starts_with("scribed uses cuda:0: ")) << outlook.headline();
  EXPECT_EQ(outlook.consequence(), "");
  EXPECT_TRUE(outlook.wanted_works);
}

TEST(Outlook, NamesTheCauseBeforeTheConsequence) {
  const auto outlook = look_ahead(machine(false), false);
  EXPECT_EQ(outlook.headline(), "NVIDIA RTX is broken (A_CODE)");
  EXPECT_EQ(outlook.consequence(), "scribed uses cpu (a CPU) instead");
  EXPECT_TRUE(outlook.wanted_works);  // auto takes the CPU as well
}

TEST(Outlook, IsBadWhereANamedGpuDoesNotWork) {
  const auto outlook = look_ahead(machine(false, {Backend::cuda, std::nullopt}), false);
  EXPECT_FALSE(outlook.wanted_works);
  EXPECT_TRUE(outlook.choice);
  EXPECT_TRUE(look_ahead(machine(true, {Backend::cuda, 0}), false).wanted_works);
  EXPECT_TRUE(look_ahead(machine(true, {std::nullopt, 0}), false).wanted_works);
  EXPECT_FALSE(look_ahead(machine(false, {std::nullopt, 0}), false).wanted_works);
}

TEST(Outlook, DoesNotSpeakOfAGpuWhereTheCpuIsWhatCannotDoIt) {
  Survey survey = machine(true, {Backend::cpu, std::nullopt});
  survey.verdicts[1].status = Status::blocked;
  survey.verdicts[1].findings.push_back({.code = "A_CODE", .headline = "a CPU is too small"});
  const auto outlook = look_ahead(survey, false);
  EXPECT_FALSE(outlook.choice);
  EXPECT_EQ(outlook.consequence().find("GPU"), std::string::npos) << outlook.consequence();
  EXPECT_NE(look_ahead(machine(false), true).consequence().find("GPU is required"),
            std::string::npos);
}

TEST(Outlook, IsARefusalWhereAGpuIsRequired) {
  const auto outlook = look_ahead(machine(false), true);
  EXPECT_FALSE(outlook.choice);
  EXPECT_FALSE(outlook.wanted_works);
  EXPECT_EQ(outlook.headline(), "NVIDIA RTX is broken (A_CODE)");
  EXPECT_NE(outlook.consequence(), "");
}

}  // namespace
}  // namespace server
