#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/server/jobs/job_store_fixture.h"

namespace server::test {

// Daemons that work on the same jobs: here() is the one of StoreCases, there() another. Their
// leases are 15 seconds of the clock that the test sets, and are renewed and swept up by the test
// alone.
class TwoDaemons : public StoreCases<PostgresUnderTest> {
 protected:
  void SetUp() override {
    StoreCases::SetUp();
    if (IsSkipped()) return;
    settings_.lease_s = 15;
    reopen();
    there_ = open("there");
  }
  std::unique_ptr<JobStore> open(const std::string& node, bool only_accepts = false) {
    auto settings = settings_;
    settings.node = node;
    settings.only_accepts = only_accepts;
    return open_postgres_job_store(settings).value();
  }
  JobStore& here() { return *store_; }
  JobStore& there() { return *there_; }
  static Claim claim(JobStore& store, bool waited_for = false) {
    const auto job = store.claim({.waited_for = waited_for}).value();
    return job ? claim_of(*job) : Claim();
  }

  std::unique_ptr<JobStore> there_{};
};

}  // namespace server::test
