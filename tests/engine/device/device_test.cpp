#include "engine/device/device.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Device, TheCpuHasTwoNames) {
  EXPECT_EQ(parse_device("cpu").value(), Device{});
  EXPECT_EQ(parse_device("auto").value(), Device{});
  EXPECT_EQ(device_text({}), "cpu");
}

TEST(Device, ItsNameIsTheOneThatIsRead) {
  for (const char* text : {"cpu", "cuda:0", "cuda:1", "rocm:2", "mps"}) {
    EXPECT_EQ(device_text(parse_device(text).value()), text);
  }
  EXPECT_EQ(parse_device("cuda").value(), (Device{DeviceKind::cuda, 0}));
  EXPECT_EQ(parse_device("rocm").value(), (Device{DeviceKind::rocm, 0}));
}

TEST(Device, WhatIsNoDeviceIsAnInvalidOption) {
  for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:1:2",
                           "rocm:999", "cpu:0", "mps:0", "CUDA"}) {
    const auto device = parse_device(text);
    ASSERT_FALSE(device) << text;
    EXPECT_EQ(device.error().code, Errc::invalid_option) << text;
    EXPECT_NE(device.error().message.find("'" + std::string(text) + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace engine
