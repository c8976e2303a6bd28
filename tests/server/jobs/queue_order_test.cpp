#include <string>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

template <class UnderTest>
class QueueOrder : public test::StoreCases<UnderTest> {};
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

TYPED_TEST(QueueOrder, WhoHasFewerRunningComesFirst) {
  const std::string ada1 = this->add("ada").id, ada2 = this->add("ada").id,
                    ada3 = this->add("ada").id;
  for (int i = 0; i < 2; ++i) {
    this->advance(1);
    this->take();
  }
  const std::string bob1 = this->add("bob").id, bob2 = this->add("bob").id;
  EXPECT_EQ(this->take(), bob1);
  this->advance(1);
  EXPECT_EQ(this->take(), bob2) << "ada has two, although bob's last one was begun later";
  EXPECT_EQ(this->take(), ada3);
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
  ASSERT_TRUE(this->store_->requeue(this->held(first), true));
  EXPECT_EQ(this->take(), first);
}

}  // namespace
}  // namespace server
