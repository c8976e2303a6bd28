#include "server/jobs_sqlite/queue_order.h"

#include <string>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::test_time;

class QueueOrder : public test::JobStoreTest {};

TEST_F(QueueOrder, OwnersTakeTurns) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  std::vector<std::string> order;
  for (int i = 0; i < 5; ++i) {
    test_time += 1;
    order.push_back(take());
  }
  EXPECT_EQ(order, (std::vector<std::string>{ada1, bob1, ada2, bob2, ada3}));
  EXPECT_EQ(take(), "");
  EXPECT_EQ(store_->count_waiting({}).value(), 0);
}

TEST_F(QueueOrder, WhoHasFewerRunningComesFirst) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  for (int i = 0; i < 2; ++i) {
    test_time += 1;
    take();
  }
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  EXPECT_EQ(take(), bob1);
  test_time += 1;
  EXPECT_EQ(take(), bob2) << "ada has two, although bob's last one was begun later";
  EXPECT_EQ(take(), ada3);
}

TEST_F(QueueOrder, OneOwnerCannotHoldEveryPlace) {
  settings_.max_running_per_owner = 2;
  reopen();
  const std::string ada1 = add("ada").id, ada2 = add("ada").id, ada3 = add("ada").id;
  EXPECT_EQ(take(), ada1);
  EXPECT_EQ(take(), ada2);
  EXPECT_EQ(take(), "");
  const std::string bob1 = add("bob").id;
  EXPECT_EQ(take(), bob1);
  EXPECT_EQ(take(), "");
  store_->finish(ada1, {}).value();
  EXPECT_EQ(take(), ada3);
}

TEST_F(QueueOrder, JobsThatAClientWaitsForAreTakenByThemselves) {
  settings_.max_running_per_owner = 1;
  settings_.max_waited_for_per_owner = 2;
  reopen();
  const std::string file = add("ada").id;
  const std::string clip = add_waited_for("ada").id, next = add_waited_for("ada").id;
  const std::string third = add_waited_for("ada").id;
  EXPECT_EQ(take(), file);
  EXPECT_EQ(take(), "");
  EXPECT_EQ(take(true), clip);
  EXPECT_EQ(take(true), next) << "what runs for nobody does not count";
  EXPECT_EQ(take(true), "") << "each kind has a limit of its own";
  ASSERT_TRUE(store_->detach(third));
  store_->finish(file, {}).value();
  EXPECT_EQ(take(), third) << "its client has left it to itself";
}

TEST_F(QueueOrder, TellsInWhichOrderJobsWillBeTaken) {
  for (const char* owner : {"bob", "eve", "bob"}) {
    add(owner);
    test_time += 1;
    EXPECT_NE(take(), "");
  }
  for (const char* owner : {"ada", "bob", "dan", "ada", "eve", "bob", "eve", "ada"}) add(owner);
  const auto order = store_->waiting().value();
  std::vector<std::string> taken;
  for (test_time += 1;; test_time += 1) {
    const std::string id = take();
    if (id.empty()) break;
    taken.push_back(id);
  }
  EXPECT_EQ(taken.size(), 8u);
  EXPECT_EQ(order, taken);
  EXPECT_EQ(store_->waiting().value(), std::vector<std::string>());
}

TEST_F(QueueOrder, TurnsGoOnWhereTheClockIsSetBack) {
  const std::string ada1 = add("ada").id, ada2 = add("ada").id;
  const std::string bob1 = add("bob").id, bob2 = add("bob").id;
  test_time = 400'000'000;  // for a moment, at the start of the machine
  EXPECT_EQ(take(), ada1);
  test_time = 1000;
  EXPECT_EQ(take(), bob1);
  EXPECT_EQ(take(), ada2) << "ada's turn was before bob's, whatever the clock said";
  EXPECT_EQ(take(), bob2);
}

}  // namespace
}  // namespace server
