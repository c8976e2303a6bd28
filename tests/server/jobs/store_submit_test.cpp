#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "server/jobs/job_limits.h"
#include "tests/server/jobs/job_store_fixture.h"

// A job is accepted within limits, and once for each key, whoever else submits meanwhile.
namespace server {
namespace {

template <class UnderTest>
class StoreSubmit : public test::StoreCases<UnderTest> {
 protected:
  static JobRequest request(const std::string& owner, const std::string& key = "") {
    return {.owner = owner, .idempotency_key = key, .fingerprint = "of " + key};
  }
  // Returns the code of the refusal, or "".
  std::string submit_within(const JobLimits& limits, JobRequest request) {
    const auto job = this->store_->submit(std::move(request), limits);
    return job ? "" : job.error().code;
  }
  // Lets 8 threads submit the same again and again at once, and returns the answers.
  std::vector<Result<Job>> race(int times, const JobRequest& request, const JobLimits& limits) {
    constexpr std::size_t threads = 8;
    std::vector<std::vector<Result<Job>>> answers(threads);
    const auto work = [&](std::vector<Result<Job>>& mine) {
      for (int i = 0; i < times; ++i) {
        mine.push_back(
            this->under_.call([&](JobStore& store) { return store.submit(request, limits); }));
      }
    };
    {
      std::vector<std::jthread> running;
      for (auto& mine : answers) running.emplace_back(work, std::ref(mine));
    }
    std::vector<Result<Job>> all;
    for (auto& mine : answers) std::ranges::move(mine, std::back_inserter(all));
    return all;
  }
};
TYPED_TEST_SUITE(StoreSubmit, test::StoresUnderTest);

TYPED_TEST(StoreSubmit, RefusesWhatIsTooMuchAndSaysWhy) {
  const JobLimits limits{.max_waiting = 3, .max_waiting_per_owner = 2};
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), "");
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), "");
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), errc::too_many_jobs);
  EXPECT_EQ(this->store_->check("ada", "", limits).error().code, errc::too_many_jobs);
  EXPECT_TRUE(this->store_->check("bob", "", limits));
  EXPECT_EQ(this->submit_within(limits, this->request("bob")), "");
  EXPECT_EQ(this->submit_within(limits, this->request("eve")), errc::queue_full);
  EXPECT_EQ(this->store_->check("eve", "", limits).error().code, errc::queue_full);
  EXPECT_EQ(this->store_->count_waiting().value(), 3) << "what was refused is not there";
}

TYPED_TEST(StoreSubmit, JobsForWhichClientsWaitCountWithTheOthers) {
  const JobLimits limits{.max_waiting_per_owner = 2};
  this->add("ada");
  this->add_waited_for("ada");
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), errc::too_many_jobs);
}

TYPED_TEST(StoreSubmit, AnOwnersOwnLimitsCountWhatRuns) {
  const JobLimits limits{.of_owner = {{"ada", {.open_jobs = 2}}}};
  this->add("ada");
  this->take();
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), "");
  EXPECT_EQ(this->submit_within(limits, this->request("ada")), errc::too_many_jobs);
  EXPECT_EQ(this->submit_within(limits, this->request("bob")), "");
  EXPECT_GT(this->store_->use_of("ada")->first_unmeasured, 0) << "one runs";
  EXPECT_EQ(this->store_->use_of("bob")->first_unmeasured, 0) << "none has begun";
  const JobLimits with_session{.of_owner = {{"ada", {.open_jobs = 3}}}, .live_sessions = 1};
  EXPECT_EQ(this->submit_within(with_session, this->request("ada")), errc::too_many_jobs);
  JobRequest live = this->request("ada");
  live.live = true;
  EXPECT_EQ(this->submit_within(limits, std::move(live)), "") << "its session was admitted";
  EXPECT_EQ(this->store_->use_of("ada")->open_jobs, 2);
  const JobLimits of_sound{.of_owner = {{"ada", {.sound_seconds_per_day = 60}}}};
  ASSERT_TRUE(this->store_->add_sound("ada", 60));
  EXPECT_EQ(this->submit_within(of_sound, this->request("ada")), errc::too_much_sound);
}

TYPED_TEST(StoreSubmit, AtTheEndOnlyWhatWasAcceptedIsAnswered) {
  const Job known = this->submit(this->request("ada", "k")).value();
  const JobLimits closed{.is_draining = true};
  EXPECT_EQ(this->submit_within(closed, this->request("ada")), errc::draining);
  EXPECT_EQ(this->store_->submit(this->request("ada", "k"), closed)->id, known.id);
  EXPECT_TRUE(this->store_->check("ada", "k", closed));
  EXPECT_EQ(this->store_->check("bob", "k", closed).error().code, errc::draining);
}

TYPED_TEST(StoreSubmit, ALiveSessionWaitsForNoPlace) {
  const JobLimits full{.max_waiting = 0, .of_owner = {{"ada", {.open_jobs = 1}}}};
  JobRequest live = this->request("ada");
  live.live = true;
  EXPECT_EQ(this->submit_within(full, live), "");
  EXPECT_EQ(this->submit_within(full, live), "") << "sessions are counted where they are admitted";
}

TYPED_TEST(StoreSubmit, ALimitIsExactThoughManySubmitAtOnce) {
  const JobLimits limits{.max_waiting_per_owner = 20};
  const auto answers = this->race(10, this->request("ada"), limits);
  EXPECT_EQ(std::ranges::count_if(answers, [](const auto& answer) { return bool(answer); }), 20);
  for (const auto& answer : answers) {
    EXPECT_EQ(answer ? errc::too_many_jobs : answer.error().code, errc::too_many_jobs);
  }
  EXPECT_EQ(this->store_->count_waiting().value(), 20);
}

TYPED_TEST(StoreSubmit, AKeyIsOneJobThoughManySubmitAtOnce) {
  const auto answers = this->race(5, this->request("ada", "k"), {.max_waiting = 1});
  std::set<std::string> ids;
  for (const auto& answer : answers) ids.insert(answer.value().id);
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(this->store_->list("ada", 10, "").value().size(), 1U);
}

}  // namespace
}  // namespace server
