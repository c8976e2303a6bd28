#include "server/metrics/metrics.h"

#include <gtest/gtest.h>

#include "server/http/access_record.h"
#include "server/jobs/job.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

bool has(const std::string& text, const std::string& line) {
  return text.find(line) != text.npos;
}

TEST(Metrics, CountsRequestsByRouteAndNotByPath) {
  Metrics metrics("1.2.3");
  metrics.on_request({.method = "GET", .path = "/v1/jobs/abc", .status = 200}, "/v1/jobs/{id}");
  metrics.on_request({.method = "GET", .path = "/v1/jobs/def", .status = 200}, "/v1/jobs/{id}");
  metrics.on_request({.method = "GET", .path = "/etc/passwd", .status = 404}, "");
  const std::string text = metrics.text();
  EXPECT_TRUE(has(text, R"(scribed_build_info{version="1.2.3"} 1)")) << text;
  EXPECT_TRUE(has(text, R"(route="/v1/jobs/{id}"} 2)")) << text;
  EXPECT_TRUE(has(text, R"(route="none")"));
  EXPECT_FALSE(has(text, "abc"));
  EXPECT_FALSE(has(text, "passwd"));
}

TEST(Metrics, AMethodThatAClientMakesUpHasNoSeriesOfItsOwn) {
  Metrics metrics("1");
  for (const char* method : {"GET", "PATCH", "BREW", "get", ""}) {
    metrics.on_request({.method = method, .path = "/", .status = 405}, "");
  }
  const std::string text = metrics.text();
  EXPECT_TRUE(has(text, R"(method="GET",route="none"} 1)")) << text;
  EXPECT_TRUE(has(text, R"(method="PATCH",route="none"} 1)")) << text;
  EXPECT_TRUE(has(text, R"(method="other",route="none"} 3)")) << text;
  EXPECT_FALSE(has(text, "BREW"));
}

TEST(Metrics, TellsHowFastJobsWereAndWhetherTheirDeviceWasTheWantedOne) {
  Metrics metrics("1");
  Job job{.state = JobState::done, .attempts = 2, .created = 100, .started = 101};
  job.summary.duration = 30;
  job.summary.timings.transcribe_s = 3;
  job.summary.fallback = protocol::DeviceFallback{"cuda:0", "CUDA_NO_DRIVER", "no driver"};
  job.summary.windows = {.full = 2, .shortened = 1};
  metrics.on_job_end(job);
  metrics.on_job_end({.state = JobState::failed});
  const std::string text = metrics.text();
  EXPECT_TRUE(has(text, R"(scribed_jobs_ended_total{state="done"} 1)")) << text;
  EXPECT_TRUE(has(text, R"(scribed_jobs_ended_total{state="failed"} 1)"));
  EXPECT_TRUE(has(text, "scribed_audio_seconds_total 30"));
  EXPECT_TRUE(has(text, "scribed_processing_seconds_total 3"));
  EXPECT_TRUE(has(text, R"(scribed_windows_total{kind="full"} 2)")) << text;
  EXPECT_TRUE(has(text, R"(scribed_windows_total{kind="short"} 1)"));
  EXPECT_TRUE(has(text, R"(scribed_windows_total{kind="checked"} 0)"));
  EXPECT_TRUE(has(text, "scribed_job_retries_total 1"));
  EXPECT_TRUE(has(text, "scribed_device_fallback_jobs_total 1"));
  EXPECT_TRUE(has(text, R"(scribed_real_time_factor_bucket{le="10"} 1)"));
}

TEST(Metrics, AClockThatIsSetBackMakesNoNegativeWait) {
  Metrics metrics("1");
  metrics.on_job_end({.state = JobState::done, .created = 5000, .started = 1000});
  EXPECT_TRUE(has(metrics.text(), "scribed_queue_wait_seconds_sum 0")) << metrics.text();
}

TEST(Metrics, TellWhatAClusterIsScaledBy) {
  Metrics metrics("1");
  metrics.set_sound_to_do({{"base", 120}, {"tiny", 5}});
  Job job{.state = JobState::done, .started = 100, .finished = 103};
  job.request.model = "base";
  job.summary.device = "cuda:0";
  job.summary.duration = 30;
  job.summary.timings.transcribe_s = 3;
  metrics.on_job_end(job);
  EXPECT_TRUE(has(metrics.text(), R"(scribed_queue_audio_seconds{model="base"} 120)"));
  EXPECT_TRUE(has(metrics.text(), R"(scribed_worker_speed{device="cuda:0",model="base"} 10)"));
  metrics.set_sound_to_do({{"base", 60}});
  EXPECT_TRUE(has(metrics.text(), R"(scribed_queue_audio_seconds{model="base"} 60)"));
  EXPECT_TRUE(has(metrics.text(), R"(scribed_queue_audio_seconds{model="tiny"} 0)"));
}

TEST(Metrics, NumaNodesHaveOneSpeedTogether) {
  Metrics metrics("1");
  Job job{.state = JobState::done, .started = 100, .finished = 103};
  job.request.model = "base";
  job.summary.duration = 30;
  job.summary.timings.transcribe_s = 3;
  for (const char* node : {"cpu:0", "cpu:1"}) {
    job.summary.device = node;
    metrics.on_job_end(job);
  }
  EXPECT_TRUE(has(metrics.text(), R"(scribed_worker_speed{device="cpu",model="base"} 20)"));
  EXPECT_FALSE(has(metrics.text(), "cpu:"));
}

TEST(Metrics, AModelOnSeveralCardsHasARowForEach) {
  Metrics metrics("1");
  LoadedModel model{.name = "base", .device = "cuda:0", .memory_bytes = 12};
  model.devices = {{.device = "cuda:0", .memory_bytes = 5},
                   {.device = "cuda:1", .memory_bytes = 7, .is_loading = true}};
  metrics.set_models({model});
  const std::string text = metrics.text();
  EXPECT_TRUE(has(text, R"(scribed_model_memory_bytes{device="cuda:0",model="base"} 5)"));
  EXPECT_TRUE(has(text, R"(scribed_model_memory_bytes{device="cuda:1",model="base"} 7)"));
  EXPECT_TRUE(has(text, R"(scribed_model_loaded{device="cuda:1",model="base"} 0)"));
}

TEST(Metrics, TellThePlacesOfAModelAndWhetherItsStepsAreRecorded) {
  Metrics metrics("1");
  LoadedModel model{.name = "base"};
  model.devices = {{.device = "cpu"}, {.device = "cuda:0"}};
  model.devices[1].use = {.windows = 16, .windows_held = 3, .rows = 80, .cache_bytes = 7};
  model.devices[1].use.records_graphs = true;
  model.devices[1].use.graphs_off = "no memory";
  model.devices[1].use.kernel_rows = 64;
  metrics.set_models({model});
  const std::string text = metrics.text();
  const auto labels = [](const std::string& kind) {
    return R"({device="cuda:0",kind=")" + kind + R"(",model="base"})";
  };
  EXPECT_TRUE(has(text, "scribed_model_places" + labels("windows") + " 16")) << text;
  EXPECT_TRUE(has(text, "scribed_model_places_held" + labels("windows") + " 3"));
  EXPECT_TRUE(has(text, "scribed_model_places" + labels("rows") + " 80"));
  EXPECT_TRUE(has(text, R"(scribed_model_place_bytes{device="cuda:0",model="base"} 7)"));
  EXPECT_TRUE(has(text, R"(scribed_model_graphs_off{device="cuda:0",model="base"} 1)"));
  EXPECT_TRUE(has(text, R"(scribed_model_kernel_rows{device="cuda:0",model="base"} 64)"));
  EXPECT_FALSE(has(text, R"(scribed_model_place_bytes{device="cpu")"));
}

TEST(Metrics, AModelThatIsUnloadedIsNotShownAnyMore) {
  Metrics metrics("1");
  metrics.set_models({{.name = "base", .device = "cpu", .memory_bytes = 5}});
  EXPECT_TRUE(has(metrics.text(), R"(scribed_model_memory_bytes{device="cpu",model="base"} 5)"));
  metrics.set_models({});
  EXPECT_FALSE(has(metrics.text(), "base"));
}

TEST(Metrics, TellHowLateLiveTextIsAndWhoWasRefused) {
  Metrics metrics("1");
  metrics.on_live_word(0.7);
  metrics.on_live_word(0.3);
  metrics.on_live_final(0.1);
  metrics.on_live_refused("overloaded");
  metrics.set_live(3, 0.5);
  const std::string text = metrics.text();
  EXPECT_TRUE(has(text, "scribed_live_word_latency_seconds_count 2")) << text;
  EXPECT_TRUE(has(text, R"(scribed_live_word_latency_seconds_bucket{le="0.4"} 1)"));
  EXPECT_TRUE(has(text, "scribed_live_final_latency_seconds_count 1"));
  EXPECT_TRUE(has(text, R"(scribed_live_refused_total{reason="overloaded"} 1)"));
  EXPECT_TRUE(has(text, "scribed_live_sessions 3"));
  EXPECT_TRUE(has(text, "scribed_live_lag_seconds 0.5"));
}

}  // namespace
}  // namespace server
