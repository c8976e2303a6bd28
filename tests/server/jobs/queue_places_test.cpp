#include "server/jobs/queue_places.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

class QueuePlaces : public test::JobStoreTest {
 protected:
  std::map<std::string, std::optional<int>> places(std::vector<Job> jobs) {
    add_places(*store_, jobs);
    std::map<std::string, std::optional<int>> found;
    for (const Job& job : jobs) found[job.id] = job.progress.queue_place;
    return found;
  }
};

TEST_F(QueuePlaces, AreCountedFromOneAmongAllThatWait) {
  const Job first = add("ada"), second = add("ada"), other = add("bob");
  const auto of_one = places({second, first});
  EXPECT_EQ(of_one.at(first.id), 1);
  EXPECT_EQ(of_one.at(second.id), 3) << "bob's turn comes before ada's second";
  EXPECT_EQ(places({other}).at(other.id), 2);
}

TEST_F(QueuePlaces, MoveUpWhenOneIsBegun) {
  const Job first = add(), second = add();
  EXPECT_EQ(places({second}).at(second.id), 2);
  EXPECT_EQ(take(), first.id);
  const auto now = places(store_->list("ada", 10, "").value());
  EXPECT_EQ(now.at(second.id), 1);
  EXPECT_EQ(now.at(first.id), std::nullopt) << "it runs";
}

TEST_F(QueuePlaces, AreNoneWhereNothingWaits) {
  const Job job = add();
  store_->cancel(job.id, "ada").value();
  EXPECT_EQ(places({find(job.id)}).at(job.id), std::nullopt);
}

}  // namespace
}  // namespace server
