#include "platform/build_info.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

TEST(BuildInfo, ReadsAPack) {
  const auto build = parse_build_info(nlohmann::json::parse(R"({
    "torch": "2.11.0", "variant": "cu130", "backend": "cuda", "cuda": "13.0",
    "cudnn": "9.17.1.4", "arch_list": ["7.5", "sm_120"], "ptx_list": ["12.0"]})"));
  EXPECT_EQ(build.backend, Backend::cuda);
  EXPECT_EQ(build.torch, "2.11.0");
  EXPECT_EQ(build.cudnn, "9.17.1.4");
  ASSERT_EQ(build.arch_list.size(), 2U);
  EXPECT_EQ(build.arch_list[1].text(), "12.0");
  EXPECT_EQ(build.ptx_list.size(), 1U);
  EXPECT_EQ(build.origin, "pytorch");
}

TEST(BuildInfo, TakesWhatIsMalformedAsMissing) {
  for (const char* text : {"null", "[]", R"({"torch": 2, "arch_list": "8.6", "backend": "tpu"})",
                           R"({"arch_list": [8.6, null, "x"]})"}) {
    const auto build = parse_build_info(nlohmann::json::parse(text));
    EXPECT_EQ(build.backend, Backend::cpu) << text;
    EXPECT_TRUE(build.torch.empty()) << text;
    EXPECT_TRUE(build.arch_list.empty()) << text;
  }
}

}  // namespace
}  // namespace platform
