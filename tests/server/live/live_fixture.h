#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "server/base/fair_calls.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/uploads.h"
#include "server/jobs/job_queue.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "server/live/live_services.h"
#include "server/metrics/metrics.h"
#include "server/models/manifest.h"
#include "server/models/model_store.h"
#include "server/submission/services.h"
#include "server/transcription/model_pool.h"
#include "tests/server/fake_clip.h"
#include "tests/server/helpers_here.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// Live sessions of fake workers (fake_worker.cpp), whose words are w1, w2 and so on, one for each
// second of loud sound. The model "base" is installed.
class LiveFixture : public ::testing::Test {
 protected:
  LiveFixture() {
    std::signal(SIGPIPE, SIG_IGN);  // as in the program
    ::setenv("SCRIBED_FAKE_WORKER", "", 1);
    install("base");
  }
  ~LiveFixture() override { ::unsetenv("SCRIBED_FAKE_WORKER"); }

  void install(const std::string& name) {
    std::filesystem::create_directories(store.root() / name);
    const Manifest manifest{.name = name,
                            .format = "safetensors",
                            .source = "import",
                            .origin = "",
                            .installed = "2026-01-31T12:00:00Z",
                            .dims = {{"n_mels", 80}},
                            .files = {{"model.safetensors", 100, "aa"}}};
    write_text(store.root() / name / "model.safetensors", std::string(100, 'a'));
    write_text(store.root() / name / manifest_file, manifest_text(manifest));
  }

  static ModelPool::Settings pool_settings() {
    ModelPool::Settings settings{.decoder = SCRIBED_DECODE_PATH};
    settings.jobs_per_worker = 300;
    settings.find_setup = [](const std::string& model, const auto&) -> Result<WorkerSetup> {
      WorkerSetup setup{.plan = {}, .load = {.model_name = model}};
      platform::Verdict cpu;
      cpu.pack.worker = SCRIBED_FAKE_WORKER_PATH;
      setup.plan.candidates.push_back({cpu, ""});
      return setup;
    };
    return settings;
  }

  TemporaryFolder folder;
  asio::io_context io;
  JobQueue jobs{io.get_executor(), open_job_store({.file = folder / "jobs.sqlite"}).value(), {}};
  ModelPool models{io.get_executor(), pool_settings()};
  ModelStore store{folder / "models"};
  AllowedPaths paths{{folder.path()}};
  Spool spool = Spool::open(folder / "spool").value();
  Uploads uploads = Uploads::open({.folder = folder / "uploads"}).value();
  SoundStore sounds = SoundStore::open(folder / "sounds").value();
  FairCalls disk{1, 16};
  FairCalls texts{2, 16};
  Services services{.jobs = jobs,
                    .models = models,
                    .store = store,
                    .paths = paths,
                    .spool = spool,
                    .uploads = uploads,
                    .sounds = sounds,
                    .disk = disk,
                    .texts = texts,
                    .default_model = "base",
                    .read_known_speaker = read_fake_clip,
                    .fetch_helper = has_helper};
  Metrics metrics{"1"};
  std::vector<LiveRecord> ended;
  LiveServices live{io.get_executor(),
                    services,
                    metrics,
                    {.limits = {.sessions = 250, .sessions_of_one = 250},
                     .on_end = [this](const LiveRecord& record) { ended.push_back(record); }}};
};

}  // namespace server::test
