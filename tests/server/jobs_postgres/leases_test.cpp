// Daemons that die, and what becomes of their jobs.

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/jobs_postgres/nodes.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using test::segment;

class Leases : public test::TwoDaemons {
 protected:
  void SetUp() override {
    TwoDaemons::SetUp();
    if (!IsSkipped()) session_.emplace(under_.connection);
  }
  int sweep() {
    return session_->transact([this](postgres::Step& step) {
      return postgres::sweep(step, 0, {settings_.max_begins, settings_.keep_s});
    });
  }
  // Returns whether the node may sweep then.
  bool renew(int node) {
    return session_->transact(
        [&](postgres::Step& step) { return postgres::renew_lease(step, node, 15)->may_sweep; });
  }
  void use_real_clock(double lease_s) {
    under_.execute(
        "CREATE OR REPLACE FUNCTION scribed_now() RETURNS float8 LANGUAGE sql STABLE AS "
        "'SELECT extract(epoch FROM clock_timestamp())::float8'");
    settings_.keeps_lease = true;
    settings_.lease_s = lease_s;
  }
  int number_of(const std::string& name) {
    return session_->transact([&](postgres::Step& step) {
      const auto rows = step.query("SELECT max(node) AS node FROM nodes WHERE name = $1", name);
      return static_cast<int>(rows[0].integer("node"));
    });
  }

  std::optional<postgres::Session> session_{};
};

TEST_F(Leases, JobsOfADeadDaemonGoOnElsewhereBehindTheirLastSegment) {
  const std::string id = add().id;
  const Claim lost = claim(there());
  ASSERT_TRUE(there().add_segments(lost, std::vector{segment(0), segment(1)}));
  advance(14);
  EXPECT_EQ(sweep(), 0) << "it may live";
  renew(number_of("here"));
  advance(1);
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(find(id).state, JobState::queued);
  EXPECT_EQ(there().add_segments(lost, std::vector{segment(9)}).error().code, errc::claim_lost);
  const auto again = here().claim({}).value().value();
  EXPECT_EQ(again.id, id);
  EXPECT_EQ(again.segments, 2);
  EXPECT_EQ(there().finish(lost, {}).error().code, errc::claim_lost);
  ASSERT_TRUE(here().add_segments(claim_of(again), std::vector{segment(2)}));
  ASSERT_TRUE(here().finish(claim_of(again), {}));
  EXPECT_EQ(here().segments(id, 0, 10).value(), (std::vector{segment(0), segment(1), segment(2)}));
}

TEST_F(Leases, AJobThatNobodyHasTakenIsWrittenOnAfterTheLeaseHasEnded) {
  const std::string id = add().id;
  const Claim run = claim(there());
  advance(100);
  renew(number_of("there"));
  EXPECT_EQ(sweep(), 0);
  EXPECT_TRUE(there().finish(run, {}));
}

TEST_F(Leases, ClientsWhoWaitedAtADeadGatewayCostTheirOwnerNoTurns) {
  const auto dead = open("dead gateway", true), gateway = open("gateway", true);
  const auto wait_at = [](JobStore& store, const std::string& owner) {
    return store.submit({.owner = owner, .detached = false}, test::no_limits).value().id;
  };
  for (int i = 0; i < 5; ++i) wait_at(*dead, "ada");
  const std::string bob1 = wait_at(*gateway, "bob"), bob2 = wait_at(*gateway, "bob");
  advance(16);
  for (const char* node : {"here", "gateway"}) renew(number_of(node));
  sweep();
  const std::string ada = wait_at(*gateway, "ada");
  std::vector<std::string> order;
  for (int i = 0; i < 3; ++i) order.push_back(take(true));
  EXPECT_EQ(order, (std::vector{bob1, ada, bob2}));
}

TEST_F(Leases, WhoHasMissedARenewalSweepsAfterAWholeLease) {
  const int node = number_of("here");
  for (const bool may_sweep : {false, false, false, true, true}) {
    EXPECT_EQ(renew(node), may_sweep);
    advance(5);
  }
  advance(5);
  for (const bool may_sweep : {false, false, false, true, true}) {
    EXPECT_EQ(renew(node), may_sweep) << "the others have missed it, too";
    advance(5);
  }
}

TEST_F(Leases, OfManyNodesTheFourEldestThatLiveSweep) {
  std::vector<std::unique_ptr<JobStore>> more;
  std::vector<std::string> names{"here", "there"};
  for (const char* name : {"third", "fourth", "fifth", "sixth"}) {
    more.push_back(open(name));
    names.emplace_back(name);
  }
  const auto who_may_sweep = [&] {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      if (renew(number_of(name))) found.push_back(name);
    }
    return found;
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(who_may_sweep().empty());
    advance(5);
  }
  EXPECT_EQ(who_may_sweep(), (std::vector<std::string>{"here", "there", "third", "fourth"}));
  names.erase(names.begin() + 1);
  for (int i = 0; i < 2; ++i) {
    advance(5);
    EXPECT_EQ(who_may_sweep(), (std::vector<std::string>{"here", "third", "fourth"}))
        << "the second may live";
  }
  advance(5);
  EXPECT_EQ(who_may_sweep(), (std::vector<std::string>{"here", "third", "fourth", "fifth"}));
}

TEST_F(Leases, ADatabaseThatIsAwayForLongerEndsNothing) {
  use_real_clock(1.5);
  const auto other = open("other"), daemon = open("daemon");
  const std::string runs = add().id;
  const Claim run = claim(*daemon);
  const JobRequest clients{.owner = "ada", .detached = false};
  const std::string waits = daemon->submit(clients, test::no_limits)->id;
  const Job live = daemon->submit({.owner = "ada", .live = true}, test::no_limits).value();
  test::PostgresCluster::instance().crash_and_restart(std::chrono::milliseconds(2500));
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  EXPECT_EQ(find(waits).state, JobState::queued);
  EXPECT_TRUE(daemon->finish(run, {}));
  EXPECT_TRUE(daemon->finish(claim_of(live), {}));
}

TEST_F(Leases, AClientsJobWaitsAgainWhenItsWorkerDiesAndEndsWithItsGateway) {
  const auto gateway = open("gateway", true);
  const auto job = gateway->submit({.owner = "ada", .detached = false}, test::no_limits);
  ASSERT_NE(claim(there(), true), Claim());
  advance(14);
  renew(number_of("gateway"));
  advance(1);
  EXPECT_EQ(sweep(), 1);
  EXPECT_EQ(find(job->id).state, JobState::queued);
  ASSERT_NE(claim(here(), true), Claim());
  advance(15);
  sweep();
  EXPECT_EQ(find(job->id).state, JobState::cancelled);
}

TEST_F(Leases, ADaemonThatStartsAgainTakesItsOwnJobsBackAtOnce) {
  const std::string mine = add().id, others = add().id;
  EXPECT_EQ(claim(here()).number, find(mine).number);
  EXPECT_EQ(claim(there()).number, find(others).number);
  reopen();
  EXPECT_EQ(here().recover().value(), 1);
  EXPECT_EQ(find(mine).state, JobState::queued);
  EXPECT_EQ(find(others).state, JobState::running);
}

TEST_F(Leases, ClientsOfADeadDaemonWaitNoLonger) {
  const std::string waits =
      there().submit({.owner = "ada", .detached = false}, test::no_limits)->id;
  const std::string runs = there().submit({.owner = "ada", .detached = false}, test::no_limits)->id;
  ASSERT_NE(claim(there(), true), Claim());
  const std::string mine = add_waited_for("ada").id;
  advance(15);
  renew(number_of("here"));
  sweep();
  EXPECT_EQ(find(waits).state, JobState::cancelled);
  EXPECT_EQ(find(runs).state, JobState::cancelled);
  EXPECT_EQ(find(mine).state, JobState::queued);
}

TEST_F(Leases, NobodyWaitsAtADaemonThatStartsAgain) {
  const std::string runs = add_waited_for("ada").id, waits = add_waited_for("ada").id;
  const std::string others =
      there().submit({.owner = "ada", .detached = false}, test::no_limits)->id;
  EXPECT_EQ(claim(here(), true).number, find(runs).number);
  reopen();
  EXPECT_EQ(here().recover().value(), 0);
  EXPECT_EQ(find(runs).state, JobState::cancelled);
  EXPECT_EQ(find(waits).state, JobState::cancelled);
  EXPECT_EQ(find(others).state, JobState::queued);
}

TEST_F(Leases, AStartTakesNothingFromOthersWhoseLeasesHaveEnded) {
  const std::string id = add().id;
  ASSERT_NE(claim(there()), Claim());
  advance(100);
  reopen();
  EXPECT_EQ(here().recover().value(), 0) << "the database may have been away for them, too";
  EXPECT_EQ(find(id).state, JobState::running);
}

TEST_F(Leases, ALiveSessionOfADeadDaemonIsDoneWithWhatItHas) {
  const Job live = there().submit({.owner = "ada", .live = true}, test::no_limits).value();
  ASSERT_TRUE(there().add_segments(claim_of(live), std::vector{segment(0)}));
  advance(15);
  EXPECT_EQ(sweep(), 0);
  EXPECT_EQ(find(live.id).state, JobState::done);
  EXPECT_EQ(find(live.id).segments, 1);
}

TEST_F(Leases, ALostLeaseIsNoAttempt) {
  const std::string id = add().id;
  for (int i = 0; i < 5; ++i) {
    const auto node = open("daemon" + std::to_string(i));
    ASSERT_NE(claim(*node), Claim());
    advance(15);
    EXPECT_EQ(sweep(), 1);
    EXPECT_EQ(find(id).state, JobState::queued);
    EXPECT_EQ(find(id).attempts_without_progress, 0);
  }
  EXPECT_EQ(find(id).attempts, 5);
}

TEST_F(Leases, WhatKillsDaemonsFailsInTheEnd) {
  settings_.max_begins = 3;
  const std::string id = add().id;
  for (int i = 0; i < 3; ++i) {
    const auto node = open("daemon" + std::to_string(i));
    ASSERT_NE(claim(*node), Claim());
    advance(15);
    EXPECT_EQ(sweep(), 1);
  }
  EXPECT_EQ(find(id).state, JobState::failed);
  EXPECT_EQ(find(id).error->code, "too_many_attempts");
}

TEST_F(Leases, WebhooksOfADeadDaemonAreDeliveredByOthers) {
  there().submit({.owner = "ada", .webhook = "https://example.org/hook"}, test::no_limits).value();
  ASSERT_TRUE(there().finish(claim(there()), {}));
  EXPECT_TRUE(here().undelivered().value().empty());
  EXPECT_EQ(there().undelivered().value().size(), 1U);
  advance(15);
  EXPECT_EQ(here().undelivered().value().size(), 1U);
}

// By the real clock, with a thread that renews.
TEST_F(Leases, AreKeptWhileADaemonLivesAndEndWithIt) {
  use_real_clock(0.6);
  auto keeps = open("keeps");
  const std::string id = add().id;
  ASSERT_NE(claim(*keeps), Claim());
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_EQ(sweep(), 0);
  EXPECT_EQ(find(id).state, JobState::running);
  keeps.reset();
  EXPECT_EQ(sweep(), 1) << "at once";
}

}  // namespace
}  // namespace server
