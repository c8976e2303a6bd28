#include "engine/torch/device.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Device, TheCpuHasTwoNames) {
  EXPECT_EQ(parse_device("cpu").value(), at::Device(at::kCPU));
  EXPECT_EQ(parse_device("auto").value(), at::Device(at::kCPU));
  EXPECT_EQ(device_text(at::kCPU), "cpu");
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

// These tests are linked without a GPU's code.
TEST(Device, ADeviceThatTheBuildHasNoCodeForIsUnavailable) {
  for (const char* text : {"cuda", "cuda:0", "cuda:1", "rocm:0", "rocm", "mps"}) {
    const auto device = parse_device(text);
    ASSERT_FALSE(device) << text;
    EXPECT_EQ(device.error().code, Errc::device_unavailable) << text;
    EXPECT_NE(device.error().message.find(text), std::string::npos);
  }
}

TEST(Device, ItsNameIsTheOneThatIsRead) {
  EXPECT_EQ(device_text(at::Device(at::kCUDA, 1)), "cuda:1");
  EXPECT_EQ(device_text(at::Device(at::kMPS, 0)), "mps");
}

TEST(Device, FusedAttentionIsAllowedOrNot) {
  for (const bool allowed : {false, true}) {
    allow_fused_attention(allowed);
    EXPECT_EQ(at::globalContext().userEnabledFlashSDP(), allowed);
    EXPECT_EQ(at::globalContext().userEnabledMemEfficientSDP(), allowed);
    EXPECT_EQ(at::globalContext().userEnabledCuDNNSDP(), allowed);
  }
}

TEST(Device, OpeningTheCpuSetsThreadsAndKeepsItsFusedAttention) {
  open_device({at::kCPU, 2, false});
  EXPECT_EQ(at::get_num_threads(), 2);
  EXPECT_TRUE(at::globalContext().userEnabledFlashSDP());
}

TEST(Device, ADeviceThatCannotBeOpenedThrowsAndReleasingItDoesNot) {
  if (at::hasCUDA()) GTEST_SKIP() << "it can be opened";
  const at::Device device(at::kCUDA, 0);
  EXPECT_THROW(open_device({device}), c10::Error);
  release_device_memory(device);
  EXPECT_EQ(device_memory(device).total_bytes, 0);
}

TEST(Device, TheCpuHasNoMemoryOfItsOwn) {
  EXPECT_EQ(device_memory(at::kCPU).total_bytes, 0);
  EXPECT_EQ(device_name(at::kCPU), "");
}

}  // namespace
}  // namespace engine
