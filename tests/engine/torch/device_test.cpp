#include "engine/torch/device.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

// These tests are linked without a GPU's code.
TEST(TorchDevice, ADeviceThatTheBuildHasNoCodeForIsUnavailable) {
  for (const char* text : {"cuda", "cuda:0", "cuda:1", "rocm:0", "rocm", "mps"}) {
    const auto device = torch_device(parse_device(text).value());
    ASSERT_FALSE(device) << text;
    EXPECT_EQ(device.error().code, Errc::device_unavailable) << text;
    EXPECT_NE(device.error().message.find(text), std::string::npos);
  }
}

TEST(TorchDevice, ItsNameIsTheOneThatIsRead) {
  EXPECT_EQ(device_text(at::Device(at::kCUDA, 1)), "cuda:1");
  EXPECT_EQ(device_text(at::Device(at::kMPS, 0)), "mps");
  EXPECT_EQ(device_text(at::Device(at::kCPU)), "cpu");
}

TEST(TorchDevice, FusedAttentionIsAllowedOrNot) {
  for (const bool allowed : {false, true}) {
    allow_fused_attention(allowed);
    EXPECT_EQ(at::globalContext().userEnabledFlashSDP(), allowed);
    EXPECT_EQ(at::globalContext().userEnabledMemEfficientSDP(), allowed);
    EXPECT_FALSE(at::globalContext().userEnabledCuDNNSDP());
  }
}

TEST(TorchDevice, CudnnsAttentionIsAllowedWhereItIsAskedForAndFusedAttentionIs) {
  for (const bool fused : {false, true}) {
    allow_fused_attention(fused);
    {
      const CudnnAttention allowed;
      EXPECT_EQ(at::globalContext().userEnabledCuDNNSDP(), fused);
    }
    EXPECT_FALSE(at::globalContext().userEnabledCuDNNSDP());
  }
}

TEST(TorchDevice, OpeningTheCpuSetsThreadsAndKeepsItsFusedAttention) {
  open_device(at::kCPU, {{}, 2, false});
  EXPECT_EQ(at::get_num_threads(), 2);
  EXPECT_TRUE(at::globalContext().userEnabledFlashSDP());
}

TEST(TorchDevice, ADeviceThatCannotBeOpenedThrowsAndReleasingItDoesNot) {
  const at::Device device(at::kCUDA, 100);  // no machine has so many
  EXPECT_THROW(open_device(device, {}), c10::Error);
  release_device_memory(device);
  EXPECT_EQ(device_memory(device).total_bytes, 0);
}

TEST(TorchDevice, TheCpuHasNoMemoryOfItsOwn) {
  EXPECT_EQ(device_memory(at::kCPU).total_bytes, 0);
  EXPECT_EQ(device_name(at::kCPU), "");
}

}  // namespace
}  // namespace engine
