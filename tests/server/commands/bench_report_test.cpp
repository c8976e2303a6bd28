#include "server/commands/bench_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace server {
namespace {

protocol::worker::BenchResult result() {
  return {.device = "cpu",
          .device_name = "A CPU",
          .isa = "avx2",
          .compute_type = "int8",
          .threads = 2,
          .notes = {"int8, as asked"},
          .kernels = {{"linear layers", "avx2", "the best here"}},
          .giga_operations_per_s = 400,
          .gigabytes_per_s = 20.5,
          .cache_megabytes = 32,
          .encoder = {.ms = 200, .ideal_ms = 100, .bound = "compute"},
          .steps = {{.batch = 4,
                     .time = {.ms = 10, .ideal_ms = 4, .bound = "memory", .megabytes = 200},
                     .tokens_per_s = 400,
                     .times_real_time = 66.7}}};
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(BenchReport, HasARowForTheWindowAndForEachBatch) {
  const std::string text = bench_report("base", result());
  EXPECT_TRUE(has_line(text, "base in int8 on cpu: A CPU, avx2, threads: 2")) << text;
  EXPECT_TRUE(has_line(text, "  window of 30 s      200.00    100.00      50 %   compute "))
      << text;
  EXPECT_TRUE(has_line(
      text, "  step, batch 4        10.00      4.00      40 %   memory       400.0      66.7"))
      << text;
  EXPECT_TRUE(has_line(text, "  linear layers       avx2: the best here")) << text;
}

TEST(BenchReport, SaysSoWhereACacheHelpsAStep) {
  EXPECT_EQ(bench_report("base", result()).find("cache"), std::string::npos);
  auto small = result();
  small.steps[0].time.megabytes = 40;
  EXPECT_NE(bench_report("base", small).find("The CPU's cache (32 MB)"), std::string::npos);
  small.device = "cuda:0";
  EXPECT_EQ(bench_report("base", small).find("cache"), std::string::npos);
}

TEST(BenchJson, HasTheModelAndEveryFigure) {
  const auto json = bench_json("base", result());
  EXPECT_EQ(json.at("model"), "base");
  EXPECT_EQ(json.at("encoder").at("ms"), 200);
  EXPECT_EQ(json.at("steps").at(0).at("time").at("bound"), "memory");
  EXPECT_EQ(json.at("kernels").at(0).at("kernel"), "avx2");
}

}  // namespace
}  // namespace server
