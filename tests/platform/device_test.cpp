#include "platform/device.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

TEST(Device, ReadsEveryForm) {
  struct {
    const char* text;
    DeviceRequest request;
  } const rows[] = {{"auto", {}},
                    {"cpu", {Backend::cpu, {}}},
                    {"mps", {Backend::mps, {}}},
                    {"cuda", {Backend::cuda, {}}},
                    {"cuda:1", {Backend::cuda, 1}},
                    {"rocm:0", {Backend::rocm, 0}}};
  for (const auto& row : rows) {
    const auto request = parse_device(row.text);
    ASSERT_TRUE(request) << row.text;
    EXPECT_EQ(*request, row.request) << row.text;
    EXPECT_EQ(to_string(*request), row.text);
  }
}

TEST(Device, RefusesWhatIsNoDeviceAndNamesThoseThatAre) {
  for (const char* text : {"", "gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "cpu:0",
                           "mps:0", "auto:1", "cuda:99999999999"}) {
    const auto request = parse_device(text);
    ASSERT_FALSE(request) << text;
    EXPECT_NE(request.error().fix.find("cuda:N"), std::string::npos);
  }
}

}  // namespace
}  // namespace platform
