#include "platform/version.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

TEST(Version, OrdersByNumberNotByText) {
  const auto version = [](const char* text) { return Version::parse(text).value(); };
  EXPECT_LT(version("535.54.03"), version("535.104.05"));
  EXPECT_LT(version("2.9"), version("2.11"));
  EXPECT_EQ(version("580"), version("580.0.0"));
  EXPECT_GT(version("525.60.13"), version("525.60"));
}

TEST(Version, RefusesWhatIsNoVersion) {
  for (const char* text : {"", ".", "1.", "1..2", "v1", "1.2rc1", "-1", "99999999999"}) {
    EXPECT_FALSE(Version::parse(text)) << text;
  }
}

TEST(ComputeCapability, IsReadInBothSpellings) {
  EXPECT_EQ(ComputeCapability::parse("8.6"), (ComputeCapability{8, 6}));
  EXPECT_EQ(ComputeCapability::parse("sm_86"), (ComputeCapability{8, 6}));
  EXPECT_EQ(ComputeCapability::parse("sm_120"), (ComputeCapability{12, 0}));
  EXPECT_EQ(ComputeCapability::parse("compute_90"), (ComputeCapability{9, 0}));
  EXPECT_EQ((ComputeCapability{12, 0}).text(), "12.0");
  for (const char* text : {"", "8", "sm_", "sm_8", "8.x"}) {
    EXPECT_FALSE(ComputeCapability::parse(text)) << text;
  }
}

TEST(Decoding, SplitsTheNumbersOfCudnn) {
  EXPECT_EQ(decode_cudnn_version(8700).text(), "8.7.0");
  EXPECT_EQ(decode_cudnn_version(8907).text(), "8.9.7");
  EXPECT_EQ(decode_cudnn_version(90100).text(), "9.1.0");
  EXPECT_EQ(decode_cudnn_version(91002).text(), "9.10.2");
}

TEST(Decoding, SplitsTheNumbersOfCuda) {
  EXPECT_EQ(decode_cuda_version(12040).text(), "12.4");
  EXPECT_EQ(decode_cuda_version(13000).text(), "13.0");
}

TEST(Decoding, NamesAmdTargets) {
  struct {
    std::uint32_t number;
    const char* name;
  } const rows[] = {{100300, "gfx1030"}, {110001, "gfx1101"}, {90010, "gfx90a"}, {90008, "gfx908"},
                    {90402, "gfx942"},   {120001, "gfx1201"}, {0, ""},           {109999, ""}};
  for (const auto& row : rows) EXPECT_EQ(decode_gfx(row.number), row.name) << row.number;
}

}  // namespace
}  // namespace platform
