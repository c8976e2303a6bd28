#include "platform/verdict/card.h"

#include <gtest/gtest.h>

#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

Facts with_card(std::uint16_t vendor, std::uint16_t device, const std::string& name = "") {
  Facts facts;
  facts.pci = {{.address = "0000:01:00.0", .vendor = vendor, .device = device, .name = name}};
  return facts;
}

TEST(Cards, AreNamedByTheMatrixFirst) {
  const auto cards =
      nvidia_cards(with_card(vendor_nvidia, 0x2504, "GA106 [Other]"), built_in(), false);
  ASSERT_EQ(cards.size(), 1U);
  EXPECT_EQ(cards[0].name, "NVIDIA GeForce RTX 3060");
}

TEST(Cards, AreNamedByTheSystemsListNext) {
  const auto facts = with_card(vendor_nvidia, 0xfffe, "AD999 [GeForce RTX 4999]");
  EXPECT_EQ(nvidia_cards(facts, built_in(), false)[0].name, "NVIDIA GeForce RTX 4999");
  const auto plain = with_card(vendor_amd, 0xfffe, "Radeon Nova");
  EXPECT_EQ(amd_cards(plain, built_in())[0].name, "AMD Radeon Nova");
}

TEST(Cards, WithoutANameAreCalledByTheirId) {
  EXPECT_EQ(nvidia_cards(with_card(vendor_nvidia, 0xfffe), built_in(), false)[0].name,
            "an NVIDIA card (PCI 10de:fffe)");
  EXPECT_EQ(other_cards(with_card(0x1a03, 0x2000), built_in())[0].name, "a card (PCI 1a03:2000)");
}

TEST(Cards, OfADriverThatFailsUnseenAreStillThere) {
  Facts facts;
  EXPECT_TRUE(nvidia_cards(facts, built_in(), false).empty());
  facts.native.cuda.probe = {.outcome = ProbeOutcome::failed, .code = 100};
  EXPECT_TRUE(nvidia_cards(facts, built_in(), false).empty());
  facts.native.cuda.probe = {.outcome = ProbeOutcome::failed, .code = 999};
  EXPECT_EQ(nvidia_cards(facts, built_in(), false).size(), 1U);
  facts.native.cuda.probe = {.outcome = ProbeOutcome::hung};
  EXPECT_EQ(nvidia_cards(facts, built_in(), false).size(), 1U);
}

Facts in_wsl() {
  Facts facts;
  facts.os.wsl = true;
  facts.nvidia.nodes = {{"/dev/dxg", true}};
  return facts;
}

TEST(Cards, OfWindowsAreThereWhereACudaPackWantsThem) {
  Facts facts = in_wsl();
  facts.native.cuda.probe.outcome = ProbeOutcome::library_missing;
  EXPECT_TRUE(nvidia_cards(facts, built_in(), false).empty());
  EXPECT_EQ(nvidia_cards(facts, built_in(), true).size(), 1U);
  facts.nvidia.nodes.clear();  // Windows has no GPU to give
  EXPECT_TRUE(nvidia_cards(facts, built_in(), true).empty());
  facts.os.wsl = false;
  EXPECT_TRUE(nvidia_cards(facts, built_in(), true).empty());
}

TEST(Cards, OfAmdWithoutABusAreThereWhereHipWasAskedInVain) {
  for (const auto outcome : {ProbeOutcome::failed, ProbeOutcome::hung, ProbeOutcome::crashed}) {
    Facts facts;
    facts.native.hip.probe = {.outcome = outcome, .code = 100};
    EXPECT_TRUE(amd_cards(facts, built_in()).empty()) << "nothing hints at a card";
    facts.amd.kfd.exists = true;
    EXPECT_EQ(amd_cards(facts, built_in()).size(), 1U);
    facts = in_wsl();
    EXPECT_TRUE(amd_cards(facts, built_in()).empty()) << "HIP was not asked";
    facts.native.hip.probe = {.outcome = outcome, .code = 100};
    EXPECT_EQ(amd_cards(facts, built_in()).size(), 1U);
  }
}

TEST(Cards, ThatSeveralSourcesKnowAreOne) {
  const World nvidia = nvidia_machine(), amd = amd_machine();
  EXPECT_EQ(nvidia_cards(nvidia.facts, built_in(), false).size(), 1U);
  const auto cards = amd_cards(amd.facts, built_in());
  ASSERT_EQ(cards.size(), 1U);
  EXPECT_NE(cards[0].kfd, nullptr);
  EXPECT_NE(cards[0].hip, nullptr);
  EXPECT_NE(cards[0].pci, nullptr);
}

TEST(Cards, OfTheKfdAloneAreNamed) {
  Facts facts = amd_machine().facts;
  facts.pci.clear();
  facts.native.hip = {};
  const auto cards = amd_cards(facts, built_in());
  ASSERT_EQ(cards.size(), 1U);
  EXPECT_NE(cards[0].name.find("7900"), std::string::npos);
}

}  // namespace
}  // namespace platform::test
