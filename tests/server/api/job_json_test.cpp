#include "server/api/job_json.h"

#include <gtest/gtest.h>

namespace server::api {
namespace {

TEST(JobJson, TimesHaveMillisecondsAndConfidenceFourDecimals) {
  Job job{.created = 1763839000.123456,
          .position = 37.480000000000004,
          .duration = 120.0000625,
          .language = "en"};
  job.progress = stored_progress(job);
  const auto body = job_body(job);
  EXPECT_EQ(body["created_at"].dump(), "1763839000.123");
  EXPECT_EQ(body["position"].dump(), "37.48");
  EXPECT_EQ(body["duration"].dump(), "120.0");
  EXPECT_TRUE(body["started_at"].is_null());
  EXPECT_TRUE(body["finished_at"].is_null());

  const auto segment =
      segment_body({.start = 0.1 + 0.2, .end = 29.999999999999996, .avg_logprob = -0.28607860207});
  EXPECT_EQ(segment["start"].dump(), "0.3");
  EXPECT_EQ(segment["end"].dump(), "30.0");
  EXPECT_EQ(segment["confidence"].dump(), "0.7512");
}

TEST(JobJson, TheTimeThatALoadTookHasMilliseconds) {
  EXPECT_EQ(loaded_model_body({.name = "base", .load_s = 1.23456789})["load_s"].dump(), "1.235");
}

TEST(JobJson, AModelTellsEachOfItsDevices) {
  LoadedModel model{.name = "base", .device = "cuda:0"};
  model.devices = {{.device = "cuda:0", .device_name = "NVIDIA T4", .memory_bytes = 5, .jobs = 2},
                   {.device = "cuda:1", .is_loading = true}};
  model.devices[0].use = {.windows = 16, .windows_held = 3, .rows = 80, .rows_held = 4};
  model.devices[0].use.cache_bytes = 9;
  model.devices[0].use.records_graphs = true;
  model.devices[0].use.graph_failures = 2;
  model.devices[0].use.graphs_off = "no memory";
  model.devices[0].use.kernel_rows = 64;
  model.devices[0].use.encoder_window = "short";
  EXPECT_EQ(
      loaded_model_body(model)["devices"].dump(),
      R"([{"device":"cuda:0","device_name":"NVIDIA T4","memory_bytes":5,"loading":false,)"
      R"("jobs":2,"places":{"windows":16,"windows_held":3,"rows":80,"rows_held":4,"bytes":9},)"
      R"("graphs":{"recorded":0,"failures":2,"off":"no memory"},"kernels":{"rows":64,"choice":false,"off":null},"encoder_window":"short"},{"device":"cuda:1","device_name":null,"memory_bytes":0,"loading":true,)"
      R"("jobs":0,"places":null,"graphs":null,"kernels":null,"encoder_window":null}])");
}

}  // namespace
}  // namespace server::api
