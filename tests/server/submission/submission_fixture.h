#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/base/fair_calls.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/uploads.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "server/models/model_store.h"
#include "server/submission/submission.h"
#include "server/transcription/model_pool.h"
#include "tests/server/fake_clip.h"
#include "tests/server/helpers_here.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// Submission on real parts except a model: the test does the work of a runner.
class SubmissionFixture : public testing::Test {
 protected:
  SubmissionFixture() {
    std::filesystem::create_directory(sounds);
    write_text(sounds / "talk.mp3", "not really");
  }

  SubmissionRequest request(SoundSource source) {
    return {.source = std::move(source), .owner = "ada"};
  }
  SubmissionRequest path_request(Follow follow) {
    auto wish = request(PathSource{sounds / "talk.mp3"});
    wish.follow = follow;
    return wish;
  }
  // The job is shared, because run() needs a type with a default.
  Result<std::shared_ptr<FollowedJob>> submit(SubmissionRequest wish) {
    return run(io, submit_shared(std::move(wish)));
  }
  std::string error_of(SubmissionRequest wish) {
    const auto followed = submit(std::move(wish));
    return followed ? "" : followed.error().code;
  }
  std::optional<Job> find(const std::string& id) { return run(io, jobs.find(id, "ada")).value(); }

  // Runs what the queue still has to do for callers that have left.
  template <class Condition>
  void wait_until(Condition condition) {
    run_until(io, condition);
  }

  asio::awaitable<Result<std::shared_ptr<FollowedJob>>> submit_shared(SubmissionRequest wish) {
    auto submitting = submission.submit(std::move(wish));
    auto followed = co_await std::move(submitting);
    if (!followed) co_return followed.error();
    co_return std::make_shared<FollowedJob>(*std::move(followed));
  }

  TemporaryFolder folder;
  const std::filesystem::path sounds = folder / "sounds";
  asio::io_context io;
  JobQueue jobs{io.get_executor(),
                open_job_store({.file = folder / "jobs.sqlite"}).value(),
                {.limits = {.max_waiting_per_owner = 2}}};
  ModelPool models{io.get_executor(), {}};
  ModelStore store{folder / "models"};
  AllowedPaths paths{{folder.path()}};
  Spool spool = Spool::open(folder / "spool").value();
  Uploads uploads = Uploads::open({.folder = folder / "uploads"}).value();
  SoundStore kept_sounds = SoundStore::open(folder / "kept_sounds").value();
  FairCalls disk{1, 16};
  FairCalls texts{2, 16};
  Services services{.jobs = jobs,
                    .models = models,
                    .store = store,
                    .paths = paths,
                    .spool = spool,
                    .uploads = uploads,
                    .sounds = kept_sounds,
                    .disk = disk,
                    .texts = texts,
                    .default_model = "base",
                    .read_known_speaker = read_fake_clip,
                    .fetch_helper = has_helper};
  Submission submission{services,
                        {.max_audio_seconds = 60, .check_webhook = [](const std::string& url) {
                           if (url == "https://fine") return Result<void>();
                           return Result<void>(Error{errc::url_refused, "no", ""});
                         }}};
};

}  // namespace server::test
