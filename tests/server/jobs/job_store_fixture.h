#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "server/jobs/edited_text.h"
#include "server/jobs/page_reader.h"
#include "tests/server/jobs/stores_under_test.h"

namespace server::test {

constexpr int none = std::numeric_limits<int>::max();
inline const JobLimits no_limits{.max_waiting = none, .max_waiting_per_owner = none};

// A store, and what is often done with it.
template <class UnderTest>
class StoreCases : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = UnderTest::why_not(); !why.empty()) GTEST_SKIP() << why;
  }
  void reopen() { under_.reopen(); }
  void set_now(double now) { under_.set_now(now_ = now); }
  void advance(double seconds) { set_now(now_ + seconds); }
  double now() const { return now_; }

  Result<Job> submit(JobRequest request) { return store_->submit(std::move(request), no_limits); }
  Job add(const std::string& owner = "ada", const std::string& key = "", bool detached = true) {
    JobRequest request{.model = "base",
                       .input = "/a.wav",
                       .owner = owner,
                       .idempotency_key = key,
                       .detached = detached};
    request.options.language = "de";
    request.decoder.track = "2";
    return submit(std::move(request)).value();
  }
  // Edits a text where the store is used.
  EditResult edit_text(const TextTarget& target, std::span<const TextEdit> edits) {
    return server::edit_text(directly(*store_), target, edits);
  }
  EditResult restore_text(const TextTarget& target, int version) {
    return server::restore_text(directly(*store_), target, version);
  }
  // Reads a page of a text where the store is used.
  Result<TextPage> text_page(const std::string& id, std::optional<int> version,
                             std::optional<std::int64_t> behind, int limit) {
    PageReader reader(id, version, behind, limit);
    while (true) {
      const auto is_whole = reader.read_on(*store_);
      if (!is_whole) return is_whole.error();
      if (*is_whole) return reader.take();
    }
  }
  Job find(const std::string& id) { return store_->find(id, "ada").value().value(); }
  Job add_waited_for(const std::string& owner) { return add(owner, "", false); }
  // Begins the next job and returns its id; "": there is none.
  std::string take(bool waited_for = false, int most_of_one = none) {
    const auto job = store_->claim({.waited_for = waited_for, .most_of_one = most_of_one}).value();
    return job ? job->id : "";
  }
  // Returns the claim by which the job's run writes now.
  Claim held(const std::string& id) {
    return claim_of(store_->find(id, std::nullopt).value().value());
  }

  UnderTest under_{};
  std::unique_ptr<JobStore>& store_ = under_.store;
  decltype(UnderTest::settings)& settings_ = under_.settings;

 private:
  double now_ = 1000;
};

// What holds for SQLite's alone is tested with this one; its clock is test_time.
class JobStoreTest : public StoreCases<SqliteUnderTest> {
 protected:
  const std::filesystem::path folder_ = under_.folder.path();
};

inline protocol::Segment segment(int id) {
  return {.id = id, .start = id * 2.0, .end = id * 2.0 + 2, .text = " Wort.", .tokens = {1, 2}};
}

}  // namespace server::test
