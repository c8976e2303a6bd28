#include "server/device/device_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace server {
namespace {

using platform::Backend;
using std::chrono::milliseconds;

Environment with(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  };
}

std::optional<Backend> backend(std::map<std::string, std::string> variables) {
  return device_from_environment(with(std::move(variables))).value().backend;
}

TEST(DeviceFromEnvironment, IsAutoWhereNothingIsSet) {
  EXPECT_EQ(backend({}), std::nullopt);
}

TEST(DeviceFromEnvironment, IsThatOfGpuBackend) {
  EXPECT_EQ(backend({{"GPU_BACKEND", "auto"}}), std::nullopt);
  EXPECT_EQ(backend({{"GPU_BACKEND", "cuda"}}), Backend::cuda);
  EXPECT_EQ(backend({{"GPU_BACKEND", "rocm"}}), Backend::rocm);
  EXPECT_EQ(backend({{"GPU_BACKEND", "mps"}}), Backend::mps);
  EXPECT_EQ(backend({{"GPU_BACKEND", "CPU"}}), Backend::cpu);
}

TEST(DeviceFromEnvironment, IsTheCpuWhereCudaIsNotToBeUsed) {
  EXPECT_EQ(backend({{"USE_CUDA", "false"}}), Backend::cpu);
  EXPECT_EQ(backend({{"USE_CUDA", "False"}}), Backend::cpu);
  EXPECT_EQ(backend({{"USE_CUDA", "0"}}), Backend::cpu);
  EXPECT_EQ(backend({{"USE_CUDA", "true"}}), std::nullopt);
}

TEST(DeviceFromEnvironment, PrefersTheNewerVariable) {
  EXPECT_EQ(backend({{"GPU_BACKEND", "cuda"}, {"USE_CUDA", "false"}}), Backend::cuda);
}

TEST(DeviceFromEnvironment, NamesTheVariableThatMeansNothing) {
  for (const char* name : {"GPU_BACKEND", "USE_CUDA"}) {
    const auto device = device_from_environment(with({{name, "perhaps"}}));
    ASSERT_TRUE(device.has_error()) << name;
    EXPECT_EQ(device.error().code, errc::usage);
    EXPECT_NE(device.error().message.find(name), std::string::npos);
    EXPECT_NE(device.error().message.find("'perhaps'"), std::string::npos);
  }
}

TEST(GpuRequiredByEnvironment, ReadsAFlag) {
  EXPECT_FALSE(gpu_required_by_environment(with({})).value());
  EXPECT_TRUE(gpu_required_by_environment(with({{"SCRIBED_REQUIRE_GPU", "1"}})).value());
  EXPECT_FALSE(gpu_required_by_environment(with({{"SCRIBED_REQUIRE_GPU", "no"}})).value());
  EXPECT_TRUE(gpu_required_by_environment(with({{"SCRIBED_REQUIRE_GPU", "gpu"}})).has_error());
}

TEST(ProbeLimitFromEnvironment, TakesSecondsWithinReason) {
  const auto limit = [](const char* text) {
    return probe_limit_from_environment(with({{"SCRIBED_PROBE_SECONDS", text}}));
  };
  EXPECT_EQ(limit("").value(), milliseconds(15'000));
  EXPECT_EQ(limit("0.5").value(), milliseconds(500));
  for (const char* wrong : {"0", "-1", "601", "soon", "5s", "nan"}) {
    EXPECT_TRUE(limit(wrong).has_error()) << wrong;
  }
}

}  // namespace
}  // namespace server
