#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach/mach.h>
#endif

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "server/http/access_record.h"
#include "server/jobs/job.h"
#include "server/metrics/worker_speed.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

namespace prom = prometheus;

prom::Family<prom::Counter>& counter(prom::Registry& registry, const char* name, const char* help) {
  return prom::BuildCounter().Name(name).Help(help).Register(registry);
}

prom::Family<prom::Gauge>& gauge(prom::Registry& registry, const char* name, const char* help) {
  return prom::BuildGauge().Name(name).Help(help).Register(registry);
}

prom::Family<prom::Histogram>& histogram(prom::Registry& registry, const char* name,
                                         const char* help) {
  return prom::BuildHistogram().Name(name).Help(help).Register(registry);
}

const prom::Histogram::BucketBoundaries request_seconds{0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300};
const prom::Histogram::BucketBoundaries wait_seconds{0.1, 0.5, 2, 10, 60, 300, 1800};
const prom::Histogram::BucketBoundaries live_seconds{0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.3, 2, 3, 5, 10};
const prom::Histogram::BucketBoundaries speeds{0.5, 1, 2, 5, 10, 20, 50, 100, 500};

// Returns a label for anything that a client may send as a method.
std::string method_label(const std::string& method) {
  constexpr std::array<std::string_view, 9> known{"GET",    "HEAD",    "POST",    "PUT",  "PATCH",
                                                  "DELETE", "OPTIONS", "CONNECT", "TRACE"};
  return std::ranges::find(known, method) == known.end() ? "other" : method;
}

// Returns the bytes that this process has in memory; 0 if the kernel does not say.
double resident_bytes() {
#if defined(__APPLE__)
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  const auto asked = ::task_info(mach_task_self(), MACH_TASK_BASIC_INFO,
                                 reinterpret_cast<task_info_t>(&info), &count);
  return asked == KERN_SUCCESS ? static_cast<double>(info.resident_size) : 0;
#else
  std::ifstream statm("/proc/self/statm");
  long long total = 0, resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
#endif
}

}  // namespace

struct Metrics::State {
  prom::Registry registry{};
  prom::Family<prom::Counter>& requests =
      counter(registry, "scribed_http_requests_total", "Requests by route, method and status.");
  prom::Family<prom::Histogram>& request_time =
      histogram(registry, "scribed_http_request_duration_seconds",
                "From the end of a request's header to the end of its answer.");
  prom::Family<prom::Counter>& jobs_ended =
      counter(registry, "scribed_jobs_ended_total", "Transcriptions by result.");
  prom::Family<prom::Gauge>& jobs =
      gauge(registry, "scribed_jobs", "Queued and running transcriptions.");
  prom::Family<prom::Gauge>& sound_to_do =
      gauge(registry, "scribed_queue_audio_seconds",
            "Sound that is still to be transcribed, of all daemons that share a database.");
  std::map<std::string, prom::Gauge*> of_sound_to_do{};
  prom::Family<prom::Gauge>& worker_speed =
      gauge(registry, "scribed_worker_speed",
            "Recent seconds of audio per second of work of this daemon.");
  std::map<std::pair<std::string, std::string>, WorkerSpeed> speeds_of{};
  prom::Histogram& queue_wait =
      histogram(registry, "scribed_queue_wait_seconds", "From acceptance to the start of work.")
          .Add({}, wait_seconds);
  prom::Counter& audio =
      counter(registry, "scribed_audio_seconds_total", "Sound that was transcribed.").Add({});
  prom::Counter& work =
      counter(registry, "scribed_processing_seconds_total", "Time that transcribing it took.")
          .Add({});
  prom::Family<prom::Counter>& windows =
      counter(registry, "scribed_windows_total",
              "Windows of recordings by how the encoder computed them: all 30 s, short, or short "
              "and in full after the check of their text.");
  prom::Histogram& speed =
      histogram(registry, "scribed_real_time_factor", "Seconds of audio per second of work.")
          .Add({}, speeds);
  prom::Counter& retries =
      counter(registry, "scribed_job_retries_total", "Attempts after the first one.").Add({});
  prom::Counter& device_fallbacks =
      counter(registry, "scribed_device_fallback_jobs_total",
              "Transcriptions that ran on another device than the one that was wanted.")
          .Add({});
  prom::Family<prom::Gauge>& model_loaded =
      gauge(registry, "scribed_model_loaded", "1 for each model that is loaded, with its device.");
  prom::Family<prom::Gauge>& model_memory =
      gauge(registry, "scribed_model_memory_bytes", "Memory that a loaded model takes.");
  prom::Family<prom::Gauge>& model_places =
      gauge(registry, "scribed_model_places",
            "Places that a model has in its device's memory, for windows and for rows of decodes.");
  prom::Family<prom::Gauge>& model_places_held =
      gauge(registry, "scribed_model_places_held", "Those of them that are held.");
  prom::Family<prom::Gauge>& model_place_bytes =
      gauge(registry, "scribed_model_place_bytes", "Device memory of all places of a model.");
  prom::Family<prom::Gauge>& graphs_off =
      gauge(registry, "scribed_model_graphs_off",
            "1 if steps, prompts or encodes cannot be recorded now; see status.");
  prom::Family<prom::Gauge>& kernel_rows = gauge(
      registry, "scribed_model_kernel_rows",
      "Largest number of rows of decode steps that run on fused kernels; 0: none, see status.");
  prom::Gauge& live_sessions =
      gauge(registry, "scribed_live_sessions", "Running live sessions.").Add({});
  prom::Gauge& live_lag = gauge(registry, "scribed_live_lag_seconds",
                                "Lag of the text behind the audio, of the slowest live session.")
                              .Add({});
  prom::Histogram& live_words =
      histogram(registry, "scribed_live_word_latency_seconds",
                "Latency from the end of a word's audio to the word, in live sessions.")
          .Add({}, live_seconds);
  prom::Histogram& live_finals =
      histogram(registry, "scribed_live_final_latency_seconds",
                "Latency from the end of a speech turn to its final text, in live sessions.")
          .Add({}, live_seconds);
  prom::Family<prom::Counter>& live_refused =
      counter(registry, "scribed_live_refused_total", "Live sessions that were refused, and why.");
  prom::Gauge& stored =
      gauge(registry, "scribed_stored_bytes",
            "Everything that clients have stored: recordings, uploads, texts with all versions.")
          .Add({});
  prom::Gauge& free_disk =
      gauge(registry, "scribed_disk_free_bytes",
            "Free bytes of the disk of jobs.state_folder; below inputs.min_free_bytes recordings "
            "are refused.")
          .Add({});
  prom::Gauge& ready =
      gauge(registry, "scribed_ready", "Whether it can transcribe now, as /readyz says.").Add({});
  prom::Gauge& memory =
      gauge(registry, "process_resident_memory_bytes", "Memory of the daemon, without workers.")
          .Add({});
  std::vector<std::pair<prom::Family<prom::Gauge>*, prom::Gauge*>> of_models{};
};

Metrics::Metrics(const std::string& version) : state_(std::make_unique<State>()) {
  gauge(state_->registry, "scribed_build_info", "The version that runs.")
      .Add({{"version", version}})
      .Set(1);
  // A counter that is there before its first event can be watched for that one too.
  for (const JobState end : {JobState::done, JobState::failed, JobState::cancelled}) {
    state_->jobs_ended.Add({{"state", name(end)}});
  }
  state_->live_refused.Add({{"reason", errc::overloaded}});
  count_windows({});
}

Metrics::~Metrics() = default;

void Metrics::on_request(const AccessRecord& record, std::string_view route) {
  const std::string pattern = route.empty() ? "none" : std::string(route);
  state_->requests
      .Add({{"route", pattern},
            {"method", method_label(record.method)},
            {"code", std::to_string(record.status)}})
      .Increment();
  state_->request_time.Add({{"route", pattern}}, request_seconds).Observe(record.seconds);
}

void Metrics::on_job_end(const Job& job) {
  state_->jobs_ended.Add({{"state", name(job.state)}}).Increment();
  if (job.attempts > 1) state_->retries.Increment(job.attempts - 1);
  // The clock may have been set back in between.
  if (job.started > 0) state_->queue_wait.Observe(std::max(0.0, job.started - job.created));
  if (job.summary.fallback) state_->device_fallbacks.Increment();
  if (job.state != JobState::done) return;
  count_windows(job.summary.windows);
  const double work = job.summary.timings.transcribe_s;
  state_->audio.Increment(job.summary.duration);
  state_->work.Increment(work);
  if (work <= 0) return;
  state_->speed.Observe(job.summary.duration / work);
  note_speed(job, work);
}

void Metrics::count_windows(const protocol::WindowCounts& windows) {
  state_->windows.Add({{"kind", "full"}}).Increment(windows.full);
  state_->windows.Add({{"kind", "short"}}).Increment(windows.shortened);
  state_->windows.Add({{"kind", "checked"}}).Increment(windows.checked);
}

// The workers on NUMA nodes are one device here: the speed is that of all of the daemon's CPUs.
void Metrics::note_speed(const Job& job, double work_s) {
  const bool on_cpu = job.summary.device.empty() || job.summary.device.starts_with("cpu");
  const std::string device = on_cpu ? "cpu" : job.summary.device;
  auto& speed = state_->speeds_of[{device, job.request.model}];
  speed.add(job.finished, work_s, job.summary.duration);
  state_->worker_speed.Add({{"device", device}, {"model", job.request.model}}).Set(speed.value());
}

void Metrics::on_live_word(double seconds) {
  state_->live_words.Observe(seconds);
}

void Metrics::on_live_final(double seconds) {
  state_->live_finals.Observe(seconds);
}

void Metrics::on_live_refused(const std::string& reason) {
  state_->live_refused.Add({{"reason", reason}}).Increment();
}

void Metrics::set_live(std::size_t sessions, double lag_s) {
  state_->live_sessions.Set(static_cast<double>(sessions));
  state_->live_lag.Set(lag_s);
}

void Metrics::set_disk(std::uint64_t stored, std::uint64_t free) {
  state_->stored.Set(static_cast<double>(stored));
  state_->free_disk.Set(static_cast<double>(free));
}

void Metrics::set_ready(bool is_ready) {
  state_->ready.Set(is_ready ? 1 : 0);
}

void Metrics::set_queue(int waiting, int running) {
  state_->jobs.Add({{"state", "queued"}}).Set(waiting);
  state_->jobs.Add({{"state", "running"}}).Set(running);
}

void Metrics::set_sound_to_do(const std::map<std::string, double>& seconds) {
  for (const auto& [model, metric] : state_->of_sound_to_do) metric->Set(0);
  for (const auto& [model, value] : seconds) {
    auto*& metric = state_->of_sound_to_do[model];
    if (metric == nullptr) metric = &state_->sound_to_do.Add({{"model", model}});
    metric->Set(value);
  }
}

void Metrics::set_models(const std::vector<LoadedModel>& models) {
  for (const auto& [family, metric] : state_->of_models) family->Remove(metric);
  state_->of_models.clear();
  for (const auto& model : models) {
    if (model.devices.empty())
      set_model(model.name, {.device = model.device,
                             .memory_bytes = model.memory_bytes,
                             .is_loading = model.is_loading});
    for (const auto& device : model.devices) set_model(model.name, device);
  }
}

void Metrics::set_model(const std::string& name, const ModelDevice& device) {
  const prom::Labels labels{{"model", name}, {"device", device.device}};
  auto& loaded = state_->model_loaded.Add(labels);
  loaded.Set(device.is_loading ? 0 : 1);
  state_->of_models.emplace_back(&state_->model_loaded, &loaded);
  auto& memory = state_->model_memory.Add(labels);
  memory.Set(static_cast<double>(device.memory_bytes));
  state_->of_models.emplace_back(&state_->model_memory, &memory);
  set_use(labels, device.use);
}

void Metrics::set_use(const std::map<std::string, std::string>& labels,
                      const protocol::DeviceUse& use) {
  const auto set = [this](prom::Family<prom::Gauge>& family, const prom::Labels& of, double value) {
    auto& metric = family.Add(of);
    metric.Set(value);
    state_->of_models.emplace_back(&family, &metric);
  };
  if (use.records_graphs) set(state_->graphs_off, labels, use.graphs_off.empty() ? 0 : 1);
  if (use.windows == 0) return;
  set(state_->kernel_rows, labels, use.kernel_rows);
  set(state_->model_place_bytes, labels, static_cast<double>(use.cache_bytes));
  const auto set_places = [&](const char* kind, int places, int held) {
    prom::Labels of = labels;
    of["kind"] = kind;
    set(state_->model_places, of, places);
    set(state_->model_places_held, of, held);
  };
  set_places("windows", use.windows, use.windows_held);
  set_places("rows", use.rows, use.rows_held);
}

std::string Metrics::text() {
  state_->memory.Set(resident_bytes());
  return prom::TextSerializer().Serialize(state_->registry.Collect());
}

}  // namespace server
