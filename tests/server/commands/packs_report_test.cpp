#include "server/commands/packs_report.h"

#include <gtest/gtest.h>

namespace server {
namespace {

const ShippedPack shipped{
    "cuda-13",
    {.name = "cuda",
     .packages = {{.name = "torch", .size = 1'500'000'000, .files = {{"a.so", 2'000'000'000}}}}}};

platform::Pack pack(const std::string& fetched_to) {
  return {.name = "cuda-13",
          .worker = "/w",
          .build = {.backend = platform::Backend::cuda, .torch = "2.11.0", .cuda = "13.0"},
          .fetched_to = fetched_to,
          .install_command = fetched_to.empty() ? "scribed packs install cuda" : ""};
}

platform::Verdict verdict(const std::string& code) {
  platform::Verdict made{.pack = pack(""),
                         .backend = platform::Backend::cuda,
                         .device_name = "NVIDIA GeForce RTX 3060",
                         .status = platform::Status::blocked};
  made.findings.push_back({.code = code, .headline = "the driver is too old"});
  return made;
}

TEST(PacksReport, ProposesAPackThatOnlyHasToBeFetched) {
  const auto packs = listed_packs({shipped}, {pack("")}, {verdict("CUDA_PACK_MISSING")});
  ASSERT_EQ(packs.size(), 1U);
  EXPECT_EQ(packs[0].command(), "scribed packs install cuda");
  EXPECT_EQ(text_of(packs),
            "cuda (CUDA 13.0, torch 2.11.0)\n"
            "  not installed: 1.50 GB to fetch, 2.00 GB on the disk\n"
            "  fits NVIDIA GeForce RTX 3060\n"
            "  install it: scribed packs install cuda\n");
}

TEST(PacksReport, SaysWhyAPackDoesNotFit) {
  const auto packs = listed_packs({shipped}, {pack("")}, {verdict("CUDA_DRIVER_TOO_OLD")});
  EXPECT_EQ(packs[0].command(), "");
  EXPECT_NE(text_of(packs).find("does not fit: the driver is too old"), std::string::npos);
  EXPECT_EQ(json_of(packs)["packs"][0]["fits"][0]["obstacle"], "the driver is too old");
}

TEST(PacksReport, AnInstalledPackHasItsFolder) {
  const auto packs = listed_packs({shipped}, {pack("/data/packs/cuda")}, {});
  EXPECT_EQ(packs[0].command(), "");
  EXPECT_NE(text_of(packs).find("  installed: 2.00 GB in /data/packs/cuda\n"), std::string::npos);
  EXPECT_NE(text_of(packs).find("no card that it is for"), std::string::npos);
  EXPECT_EQ(json_of(packs)["packs"][0]["installed"], true);
}

TEST(PacksReport, AnInstallationWithoutPacksSaysSo) {
  EXPECT_NE(text_of({}).find("brings no pack"), std::string::npos);
  EXPECT_TRUE(json_of(std::vector<ListedPack>{})["packs"].empty());
}

}  // namespace
}  // namespace server
