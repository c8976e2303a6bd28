#include "server/commands/device_options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

namespace server {
namespace {

using platform::Backend;
using Variables = std::map<std::string, std::string>;

Result<SurveyRequest> parse(std::vector<std::string> words, Variables variables = {}) {
  CLI::App app;
  DeviceArguments arguments;
  add_device_options(app, arguments);
  std::reverse(words.begin(), words.end());  // as CLI11 wants it
  app.parse(words);
  return device_survey(arguments, [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  });
}

platform::DeviceRequest device(std::vector<std::string> words, Variables variables = {}) {
  return parse(std::move(words), std::move(variables)).value().request.device;
}

TEST(DeviceOptions, AskForTheBestDeviceByDefault) {
  const auto request = parse({}).value().request;
  EXPECT_EQ(request.device, platform::DeviceRequest{});
  EXPECT_EQ(request.compute_type, "auto");
  EXPECT_TRUE(request.flash_attn);
  EXPECT_FALSE(request.require_gpu);
}

TEST(DeviceOptions, ReachTheSurvey) {
  const auto survey = parse({"--device", "cuda:1", "--compute-type", "float16", "--flash-attn",
                             "no", "--require-gpu", "--matrix", "m.json"})
                          .value();
  const auto& request = survey.request;
  EXPECT_EQ(request.device, (platform::DeviceRequest{Backend::cuda, 1}));
  EXPECT_EQ(request.compute_type, "float16");
  EXPECT_FALSE(request.flash_attn);
  EXPECT_TRUE(request.require_gpu);
  EXPECT_EQ(survey.matrix, "m.json");
}

TEST(DeviceOptions, WinOverTheEnvironment) {
  EXPECT_EQ(device({}, {{"GPU_BACKEND", "rocm"}}).backend, Backend::rocm);
  EXPECT_EQ(device({"--device", "cuda"}, {{"GPU_BACKEND", "rocm"}}).backend, Backend::cuda);
  EXPECT_EQ(device({"--device", "auto"}, {{"GPU_BACKEND", "nonsense"}}).backend, std::nullopt);
}

TEST(DeviceOptions, TakeTheNumberOfACardApart) {
  EXPECT_EQ(device({"--device", "rocm", "--gpu-device", "2"}),
            (platform::DeviceRequest{Backend::rocm, 2}));
  EXPECT_EQ(device({"--gpu-device", "2"}), (platform::DeviceRequest{std::nullopt, 2}));
  EXPECT_EQ(device({"--device", "cuda:2", "--gpu-device", "2"}).index, 2);
}

TEST(DeviceOptions, MayNotContradictEachOther) {
  const std::vector<std::vector<std::string>> wrong{
      {"--device", "cpu", "--require-gpu"},
      {"--device", "cpu", "--gpu-device", "0"},
      {"--device", "mps", "--gpu-device", "0"},
      {"--device", "cuda:1", "--gpu-device", "0"},
  };
  for (const auto& words : wrong) {
    EXPECT_EQ(parse(words).error().code, errc::usage) << words.back();
  }
  EXPECT_EQ(parse({"--device", "cpu"}, {{"SCRIBED_REQUIRE_GPU", "1"}}).error().code, errc::usage);
}

}  // namespace
}  // namespace server
