#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

template <class UnderTest>
class QueueOrder : public test::StoreCases<UnderTest> {
 protected:
  // Adds a job of one of the owner's weight.
  std::string add_of(const std::string& owner, double weight) {
    JobLimits limits = test::no_limits;
    limits.of_owner[owner].weight = weight;
    return this->store_->submit({.model = "base", .owner = owner}, limits).value().id;
  }
  // Begins the next job, ends it, and returns whose it was; "": there is none.
  std::string serve(int most_of_one = test::none) {
    const auto job = this->store_->claim({.most_of_one = most_of_one}).value();
    if (!job) return "";
    EXPECT_TRUE(this->store_->finish(claim_of(*job), {}));
    return job->request.owner;
  }
  std::string serve_some(int jobs, int most_of_one = test::none) {
    std::string owners;
    for (int i = 0; i < jobs; ++i) owners += serve(most_of_one) + " ";
    return owners;
  }
};
TYPED_TEST_SUITE(QueueOrder, test::StoresUnderTest);

TYPED_TEST(QueueOrder, OwnersTakeTurns) {
  const std::string ada1 = this->add("ada").id, ada2 = this->add("ada").id,
                    ada3 = this->add("ada").id;
  const std::string bob1 = this->add("bob").id, bob2 = this->add("bob").id;
  std::vector<std::string> order;
  for (int i = 0; i < 5; ++i) {
    this->advance(1);
    order.push_back(this->take());
  }
  EXPECT_EQ(order, (std::vector<std::string>{ada1, bob1, ada2, bob2, ada3}));
  EXPECT_EQ(this->take(), "");
  EXPECT_EQ(this->store_->count_waiting().value(), 0);
}

TYPED_TEST(QueueOrder, EachThatWaitsHasItsPlace) {
  const std::string running = this->add("ada").id;
  for (const char* owner : {"ada", "ada", "bob"}) this->add(owner);
  this->add_waited_for("eve");
  EXPECT_EQ(this->take(), running);
  const auto order = this->store_->waiting().value();
  ASSERT_EQ(order.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(this->store_->place(order[static_cast<std::size_t>(i)]).value(), i + 1);
  }
  EXPECT_FALSE(this->store_->place(running).value());
}

TYPED_TEST(QueueOrder, WhatAnOwnerHasRunningCostsNoFurtherTurns) {
  for (int i = 0; i < 4; ++i) this->add("ada");
  for (int i = 0; i < 2; ++i) EXPECT_NE(this->take(), "");
  for (int i = 0; i < 2; ++i) this->add("bob");
  EXPECT_EQ(this->serve_some(4), "bob ada bob ada ");
}

TYPED_TEST(QueueOrder, AnOwnerOfTwiceTheWeightGetsTwiceTheTurns) {
  for (int i = 0; i < 12; ++i) this->add_of("ada", 2);
  for (int i = 0; i < 6; ++i) this->add_of("bob", 1);
  const std::string owners = this->serve_some(9);
  EXPECT_EQ(std::ranges::count(owners, 'd'), 6) << owners;
}

TYPED_TEST(QueueOrder, WhoComesNewBeginsAtOnceBesideALongLine) {
  for (int i = 0; i < 300; ++i) this->add("ada");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(this->serve(), "ada");
  this->add("bob");
  EXPECT_EQ(this->serve_some(2), "bob ada ");
}

TYPED_TEST(QueueOrder, WhoWasIdleIsOwedNothing) {
  this->add("bob");
  for (int i = 0; i < 30; ++i) this->add("ada");
  for (int i = 0; i < 21; ++i) EXPECT_NE(this->serve(), "");
  for (int i = 0; i < 10; ++i) this->add("bob");
  EXPECT_EQ(this->serve_some(6), "bob ada bob ada bob ada ");
}

TYPED_TEST(QueueOrder, TheLineGoesOnWhereItWasWhenItsJobsAreRemoved) {
  for (int i = 0; i < 20; ++i) this->add("ada");
  for (int i = 0; i < 10; ++i) {
    const Job job = this->store_->claim({}).value().value();
    ASSERT_TRUE(this->store_->finish(claim_of(job), {}));
    ASSERT_TRUE(this->store_->remove(job.id));
  }
  ASSERT_TRUE(this->store_->remove_expired());
  this->add("ada");
  for (int i = 0; i < 5; ++i) this->add("bob");
  EXPECT_EQ(this->serve_some(4), "bob ada bob ada ");
}

TYPED_TEST(QueueOrder, AnEarlyTurnThatComesBackGivesNobodyCredit) {
  for (int i = 0; i < 30; ++i) this->add("ada");
  const std::string early = this->take();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(this->serve(), "ada");
  ASSERT_TRUE(this->store_->requeue(this->held(early), false));
  EXPECT_EQ(this->serve(), "ada");
  EXPECT_EQ(this->find(early).state, JobState::done);
  for (int i = 0; i < 3; ++i) this->add("dan");
  EXPECT_EQ(this->serve_some(4), "dan ada dan ada ");
}

TYPED_TEST(QueueOrder, AnOwnerAtTheLimitBlocksNobody) {
  for (int i = 0; i < 300; ++i) this->add("ada");
  this->add_of("bob", 0.005);
  const std::string far_behind = this->add_of("bob", 0.005);
  const auto take_of_two = [this] { return this->take(false, 2); };
  for (int i = 0; i < 3; ++i) EXPECT_NE(take_of_two(), "");
  EXPECT_EQ(take_of_two(), far_behind) << "behind many of ada's, who has two";
  EXPECT_EQ(take_of_two(), "");
}

TYPED_TEST(QueueOrder, AnOwnerAtTheLimitGivesNobodyElseCredit) {
  for (int i = 0; i < 40; ++i) this->add("ada");
  for (int i = 0; i < 2; ++i) EXPECT_NE(this->take(), "");
  for (int i = 0; i < 30; ++i) {
    this->add("bob");
    EXPECT_EQ(this->serve(2), "bob");
  }
  for (int i = 0; i < 5; ++i) {
    this->add("dan");
    this->add("bob");
  }
  EXPECT_EQ(this->serve_some(6, 2), "dan bob dan bob dan bob ");
}

TYPED_TEST(QueueOrder, WhoWasHeldBackByTheLimitLeavesAPlaceToOthers) {
  for (int i = 0; i < 40; ++i) this->add("ada");
  const std::string ada1 = this->take(), ada2 = this->take();
  for (int i = 0; i < 12; ++i) this->add("bob");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(this->serve(2), "bob");
  for (const auto& id : {ada1, ada2}) ASSERT_TRUE(this->store_->finish(this->held(id), {}));
  for (int i = 0; i < 2; ++i) EXPECT_NE(this->take(false, 2), "");
  EXPECT_EQ(this->serve(2), "bob");
}

TYPED_TEST(QueueOrder, BulkComesWhereNothingElseWaitsAndNowAndThen) {
  std::vector<std::string> bulk;
  for (int i = 0; i < 4; ++i) {
    bulk.push_back(this->submit({.owner = "ada", .bulk = true}).value().id);
  }
  for (int i = 0; i < 16; ++i) this->add("bob");
  EXPECT_EQ(this->store_->waiting().value().back(), bulk.back());
  EXPECT_EQ(this->store_->place(bulk.front()).value(), 17);
  EXPECT_EQ(this->serve_some(16),
            "bob bob bob bob bob bob bob ada bob bob bob bob bob bob bob ada ");
  EXPECT_EQ(this->serve_some(4), "bob bob ada ada ");
  EXPECT_EQ(this->serve(), "");
}

TYPED_TEST(QueueOrder, AJobThatItsClientLeftLinesUpWithTheOthers) {
  const std::string left = this->add_waited_for("ada").id;
  for (int i = 0; i < 2; ++i) this->add("ada");
  for (int i = 0; i < 3; ++i) this->add("bob");
  ASSERT_TRUE(this->store_->detach(left));
  EXPECT_EQ(this->serve_some(5), "ada bob ada bob ada ");
  EXPECT_EQ(this->find(left).state, JobState::done) << "ada's third";
}

TYPED_TEST(QueueOrder, OneOwnerCannotHoldEveryPlace) {
  const std::string ada1 = this->add("ada").id, ada2 = this->add("ada").id,
                    ada3 = this->add("ada").id;
  const auto take_of_two = [this] { return this->take(false, 2); };
  EXPECT_EQ(take_of_two(), ada1);
  EXPECT_EQ(take_of_two(), ada2);
  EXPECT_EQ(take_of_two(), "");
  const std::string bob1 = this->add("bob").id;
  EXPECT_EQ(take_of_two(), bob1);
  EXPECT_EQ(take_of_two(), "");
  ASSERT_TRUE(this->store_->finish(this->held(ada1), {}));
  EXPECT_EQ(take_of_two(), ada3);
}

// A place beyond the number is for who has none, however many of others wait and run.
TYPED_TEST(QueueOrder, APlaceForOwnersWithNothingRunningIsNobodyElses) {
  for (const bool waited_for : {false, true}) {
    for (const char* owner : {"ada", "bob"}) {
      for (int i = 0; i < 100; ++i) this->add(owner, "", !waited_for);
      EXPECT_NE(this->take(waited_for), "");
    }
    for (int i = 0; i < 2; ++i) EXPECT_NE(this->take(waited_for), "") << "they have two each";
    EXPECT_EQ(this->take(waited_for, 1), "");
    const std::string eve = this->add("eve", "", !waited_for).id;
    this->add("eve", "", !waited_for);
    EXPECT_EQ(this->take(waited_for, 1), eve);
    EXPECT_EQ(this->take(waited_for, 1), "") << "she has one now";
  }
}

TYPED_TEST(QueueOrder, JobsThatAClientWaitsForAreTakenByThemselves) {
  const auto begin = [this](bool waited_for = false) {
    return this->take(waited_for, waited_for ? 2 : 1);
  };
  const std::string file = this->add("ada").id;
  const std::string clip = this->add_waited_for("ada").id, next = this->add_waited_for("ada").id;
  const std::string third = this->add_waited_for("ada").id;
  EXPECT_EQ(begin(), file);
  EXPECT_EQ(begin(), "");
  EXPECT_EQ(begin(true), clip);
  EXPECT_EQ(begin(true), next) << "what runs for nobody does not count";
  EXPECT_EQ(begin(true), "") << "each kind has a limit of its own";
  ASSERT_TRUE(this->store_->detach(third));
  ASSERT_TRUE(this->store_->finish(this->held(file), {}));
  EXPECT_EQ(begin(), third) << "its client has left it to itself";
}

TYPED_TEST(QueueOrder, TellsInWhichOrderJobsWillBeTaken) {
  for (const char* owner : {"bob", "eve", "bob"}) {
    this->add(owner);
    this->advance(1);
    EXPECT_NE(this->take(), "");
  }
  for (const char* owner : {"ada", "bob", "dan", "ada", "eve", "bob", "eve", "ada"})
    this->add(owner);
  const auto order = this->store_->waiting().value();
  std::vector<std::string> taken;
  for (this->advance(1);; this->advance(1)) {
    const std::string id = this->take();
    if (id.empty()) break;
    taken.push_back(id);
  }
  EXPECT_EQ(taken.size(), 8u);
  EXPECT_EQ(order, taken);
  EXPECT_EQ(this->store_->waiting().value(), std::vector<std::string>());
}

TYPED_TEST(QueueOrder, TurnsGoOnWhereTheClockIsSetBack) {
  const std::string ada1 = this->add("ada").id, ada2 = this->add("ada").id;
  const std::string bob1 = this->add("bob").id, bob2 = this->add("bob").id;
  this->set_now(400'000'000);  // for a moment, at the start of the machine
  EXPECT_EQ(this->take(), ada1);
  this->set_now(1000);
  EXPECT_EQ(this->take(), bob1);
  EXPECT_EQ(this->take(), ada2) << "ada's turn was before bob's, whatever the clock said";
  EXPECT_EQ(this->take(), bob2);
}

TYPED_TEST(QueueOrder, WhoComesLaterWaitsForNoBacklogAndIsOwedNothing) {
  for (int i = 0; i < 20; ++i) this->add("ada");
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(this->store_->finish(this->held(this->take()), {}));
  const std::string bob1 = this->add("bob").id, bob2 = this->add("bob").id;
  std::vector<std::string> owners;
  for (int i = 0; i < 5; ++i) {
    const Job job = this->store_->claim({}).value().value();
    owners.push_back(job.request.owner);
    ASSERT_TRUE(this->store_->finish(claim_of(job), {}));
  }
  EXPECT_EQ(owners, (std::vector<std::string>{"bob", "ada", "bob", "ada", "ada"}));
}

TYPED_TEST(QueueOrder, TurnsOutliveTheProcess) {
  for (int i = 0; i < 4; ++i) this->add("ada");
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(this->store_->finish(this->held(this->take()), {}));
  this->reopen();
  this->add("bob");
  this->add("bob");
  std::vector<std::string> owners;
  while (const auto job = this->store_->claim({}).value()) {
    owners.push_back(job->request.owner);
    ASSERT_TRUE(this->store_->finish(claim_of(*job), {}));
  }
  EXPECT_EQ(owners, (std::vector<std::string>{"bob", "ada", "bob", "ada"}));
}

TYPED_TEST(QueueOrder, AJobThatIsCancelledBeforeItsTurnCostsItsOwnerNone) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(this->store_->cancel(this->add("ada").id, "ada").value());
  const std::string ada = this->add("ada").id, bob = this->add("bob").id;
  EXPECT_EQ(this->take(), ada);
  EXPECT_EQ(this->take(), bob);
}

TYPED_TEST(QueueOrder, AJobThatIsPutBackComesBeforeItsOwnersOthers) {
  const std::string first = this->add("ada").id;
  this->add("ada");
  EXPECT_EQ(this->take(), first);
  ASSERT_TRUE(this->store_->requeue(this->held(first), false));
  EXPECT_EQ(this->take(), first);
}

TYPED_TEST(QueueOrder, AJobWhoseWorkerDiedWaitsForAWhileAndHoldsUpNobody) {
  const std::string first = this->add("ada").id, other = this->add("ada").id;
  for (const double wait : {2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_EQ(this->take(), first);
    ASSERT_TRUE(this->store_->requeue(this->held(first), true));
    if (wait == 2) {
      EXPECT_EQ(this->take(), other);
    }
    this->advance(wait - 0.5);
    EXPECT_EQ(this->take(), "") << wait;
    this->advance(0.5);
  }
}

TYPED_TEST(QueueOrder, JobsOfLoadedModelsArePreferredForAWhile) {
  const auto add_for = [this](const char* model, const char* owner) {
    return this->submit({.model = model, .owner = owner}).value().id;
  };
  const auto take_with = [this](std::vector<std::string> models, int most = test::none) {
    const auto job = this->store_->claim({.most_of_one = most, .loaded_models = std::move(models)});
    return job.value() ? job.value()->id : "";
  };
  const std::string base1 = add_for("base", "ada"), base2 = add_for("base", "ada");
  const std::string small1 = add_for("small", "ada"), small2 = add_for("small", "ada");
  const std::string large = add_for("large", "bob");
  EXPECT_EQ(take_with({"small", "tiny"}), small1);
  EXPECT_EQ(take_with({"large", "small"}, 1), large) << "ada has one";
  EXPECT_EQ(take_with({"tiny"}), base1) << "none waits for a loaded one";
  this->advance(5.5);
  EXPECT_EQ(take_with({"small"}), base2) << "it has waited for too long";
  EXPECT_EQ(take_with({"base"}), small2);
  EXPECT_EQ(take_with({"base"}), "");
}

TYPED_TEST(QueueOrder, WhoComesNewDoesNotWaitForJobsThatAPreferredOneHasPassed) {
  for (int i = 0; i < 20; ++i) this->add("ada");
  ASSERT_TRUE(this->submit({.model = "small", .owner = "ada"}));
  const auto small = this->store_->claim({.loaded_models = {"small"}}).value();
  ASSERT_EQ(small->request.model, "small");
  this->add("bob");
  EXPECT_EQ(this->serve_some(2), "ada bob ");
}

TYPED_TEST(QueueOrder, AJobThatIsLeftToItselfWhileItRunsGoesBackWhereItsNewLineStands) {
  // Its own line, that of clients, has come far.
  for (int i = 0; i < 30; ++i) {
    this->add_waited_for("eve");
    const Job job = this->store_->claim({.waited_for = true}).value().value();
    ASSERT_TRUE(this->store_->finish(claim_of(job), {}));
  }
  this->add_waited_for("eve");
  const Job left = this->store_->claim({.waited_for = true}).value().value();
  ASSERT_TRUE(this->store_->detach(left.id));
  for (int i = 0; i < 10; ++i) this->add("ada");
  ASSERT_TRUE(this->store_->requeue(this->held(left.id), false));
  EXPECT_NE(this->serve_some(2).find("eve"), std::string::npos);
}

}  // namespace
}  // namespace server
