#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/base/random_id.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

namespace server::test {

inline double test_time = 1000;

// A store in a folder of its own, with a clock that the test sets.
class JobStoreTest : public testing::Test {
 protected:
  JobStoreTest() {
    folder_ = std::filesystem::temp_directory_path() / ("scribed-jobs-" + random_id());
    std::filesystem::create_directory(folder_);
    settings_ = {.file = folder_ / "jobs.sqlite", .now = [] { return test_time; }};
    test_time = 1000;
    reopen();
  }
  ~JobStoreTest() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  // Opens the store anew as after a crash: only the file is kept.
  void reopen() {
    store_.reset();
    store_ = open_job_store(settings_).value();
  }

  Job add(const std::string& owner = "ada", const std::string& key = "", bool detached = true) {
    JobRequest request{.model = "base",
                       .input = "/a.wav",
                       .owner = owner,
                       .idempotency_key = key,
                       .detached = detached};
    request.options.language = "de";
    request.decoder.track = 2;
    return store_->add(std::move(request)).value();
  }
  Job find(const std::string& id) { return store_->find(id, "ada").value().value(); }
  Job add_waited_for(const std::string& owner) { return add(owner, "", false); }
  std::string take(bool waited_for = false) {
    const auto job = store_->take(waited_for).value();
    return job ? job->id : "";
  }

  std::filesystem::path folder_;
  JobStoreSettings settings_;
  std::unique_ptr<JobStore> store_;
};

inline protocol::Segment segment(int id) {
  return {.id = id, .start = id * 2.0, .end = id * 2.0 + 2, .text = " Wort.", .tokens = {1, 2}};
}

}  // namespace server::test
