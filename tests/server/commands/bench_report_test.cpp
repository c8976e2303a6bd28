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
                     .tokens_per_s = 400}}};
}

BenchFigures parts() {
  return {.model = "base", .parts = result()};
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(BenchReport, HasARowForTheWindowAndForEachBatch) {
  const std::string text = bench_report(parts());
  EXPECT_TRUE(has_line(text, "base in int8 on cpu: A CPU, avx2, threads: 2")) << text;
  EXPECT_TRUE(has_line(text, "  window of 30 s      200.00    100.00      50 %   compute "))
      << text;
  EXPECT_TRUE(
      has_line(text, "  step, batch 4        10.00      4.00      40 %   memory       400.0"))
      << text;
  EXPECT_TRUE(has_line(text, "  linear layers       avx2: the best here")) << text;
}

TEST(BenchReport, SaysSoWhereACacheHelpsAStep) {
  EXPECT_EQ(bench_report(parts()).find("cache"), std::string::npos);
  auto small = parts();
  small.parts.steps[0].time.megabytes = 40;
  EXPECT_NE(bench_report(small).find("The CPU's cache (32 MB)"), std::string::npos);
  small.parts.device = "cuda:0";
  EXPECT_EQ(bench_report(small).find("cache"), std::string::npos);
}

TEST(BenchReport, SaysHowFastARecordingWasOnlyWhereThereIsOne) {
  auto figures = parts();
  EXPECT_NE(bench_report(figures).find("scribed bench FILE"), std::string::npos);
  EXPECT_EQ(bench_report(figures).find("x real time"), std::string::npos);
  EXPECT_FALSE(bench_json(figures).contains("transcription"));
  figures.transcription = {.sound_s = 30, .load_s = 0.5, .transcribe_s = 2, .runs = 3};
  EXPECT_TRUE(has_line(bench_report(figures),
                       "  30.0 s of audio in 2.00 s, the median of 3 runs: 15.0 x real time"));
  EXPECT_EQ(bench_json(figures).at("transcription").at("times_real_time"), 15);
}

BenchFigures on_a_card() {
  BenchFigures figures{.model = "turbo"};
  figures.parts.compute_type = "float16";
  figures.parts.card = {.name = "NVIDIA L4",
                        .giga_operations_per_s = 121'000,
                        .gigabytes_per_s = 300,
                        .memory_gigabytes = 24,
                        .launch_us = 0.5,
                        .encoder = {.ideal_ms = 19.123, .bound = "compute", .megabytes = 1273}};
  figures.parts.card->steps = {{.batch = 16,
                                .megabytes = 826,
                                .ideal_ms = 2.752,
                                .bound = "memory",
                                .launches = 36,
                                .ms = 2.77,
                                .launches_of_libtorch = 104,
                                .ms_of_libtorch = 2.804,
                                .tokens_per_s = 5776,
                                .times_real_time = 824}};
  return figures;
}

TEST(BenchReport, AModelOfACardSaysThatNothingWasMeasured) {
  const std::string text = bench_report(on_a_card());
  EXPECT_TRUE(
      has_line(text, "turbo in float16 on a model of NVIDIA L4: computed, nothing was measured"))
      << text;
  EXPECT_TRUE(has_line(text, "  reading memory           300.0 GB/s of 24 GB")) << text;
  EXPECT_TRUE(has_line(text, "  window of 30 s        1273    19.123  compute ")) << text;
  EXPECT_TRUE(has_line(text,
                       "  step, batch 16         826     2.752  memory       2.770     2.804"
                       "       5776         824  does not fit"))
      << text;
  EXPECT_NE(text.find("A step has 36 fused kernels, or 104 of libtorch's."), std::string::npos);
}

TEST(BenchJson, OfACardHasItsModelAlone) {
  const auto json = bench_json(on_a_card());
  EXPECT_EQ(json.at("card").at("steps").at(0).at("launches"), 36);
  EXPECT_FALSE(json.contains("encoder"));
  EXPECT_FALSE(bench_json(parts()).contains("card"));
}

TEST(BenchJson, HasTheModelAndEveryFigure) {
  const auto json = bench_json(parts());
  EXPECT_EQ(json.at("model"), "base");
  EXPECT_EQ(json.at("encoder").at("ms"), 200);
  EXPECT_EQ(json.at("steps").at(0).at("time").at("bound"), "memory");
  EXPECT_EQ(json.at("kernels").at(0).at("kernel"), "avx2");
}

}  // namespace
}  // namespace server
