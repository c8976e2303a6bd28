#include <gtest/gtest.h>

#include "server/jobs/job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

class JobChanges : public test::JobStoreTest {
 protected:
  std::string add_ended() {
    const std::string id = add().id;
    take();
    EXPECT_TRUE(store_->finish(held(id), {}));
    return id;
  }
  Job pin(const std::string& id, bool pinned) {
    return store_->change(id, "ada", {.pinned = pinned}).value();
  }
  bool is_kept(const std::string& id) { return store_->find(id, "ada").value().has_value(); }
  void pass(double seconds) {
    test::test_time += seconds;
    ASSERT_TRUE(store_->remove_expired());
  }
};

TEST_F(JobChanges, ATitleIsKeptAndGivenBack) {
  const std::string id = submit({.title = "talk.wav", .owner = "ada"}).value().id;
  EXPECT_EQ(shown_title(find(id)), "talk.wav");
  EXPECT_EQ(shown_title(store_->change(id, "ada", {.title = "Minutes"}).value()), "Minutes");
  reopen();
  EXPECT_EQ(shown_title(find(id)), "Minutes");
  EXPECT_EQ(find(id).request.title, "talk.wav");
  ASSERT_TRUE(store_->change(id, "ada", {.title = ""}));
  EXPECT_EQ(shown_title(find(id)), "talk.wav");
}

TEST_F(JobChanges, AreMadeByTheOwner) {
  const std::string id = add_ended();
  EXPECT_EQ(store_->change(id, "bob", {.title = "x"}).error().code, errc::job_not_found);
  EXPECT_EQ(store_->change("none", "ada", {.title = "x"}).error().code, errc::job_not_found);
}

TEST_F(JobChanges, APinnedJobDoesNotExpire) {
  const std::string id = add_ended();
  const std::string other = add_ended();
  EXPECT_EQ(pin(id, true).expires, 0);
  pass(100 * 24 * 3600.0);
  EXPECT_TRUE(is_kept(id));
  EXPECT_FALSE(is_kept(other));
  EXPECT_EQ(pin(id, false).expires, test::test_time + settings_.keep_s) << "its whole time again";
  pass(settings_.keep_s + 1);
  EXPECT_FALSE(is_kept(id));
}

TEST_F(JobChanges, AJobThatIsPinnedWhileItRunsIsKeptAtItsEnd) {
  const std::string id = add().id;
  EXPECT_TRUE(pin(id, true).pinned);
  take();
  EXPECT_EQ(store_->finish(held(id), {})->expires, 0);
  const std::string second = add().id;
  pin(second, true);
  EXPECT_EQ(pin(second, false).expires, 0) << "it has not ended";
}

TEST_F(JobChanges, PinnedJobsAreNotAmongThoseThatAreTooMany) {
  settings_.max_kept_per_owner = 1;
  reopen();
  const std::string pinned = add_ended();
  pin(pinned, true);
  const std::string second = add_ended(), third = add_ended();
  pass(1);
  EXPECT_TRUE(is_kept(pinned));
  EXPECT_FALSE(is_kept(second));
  EXPECT_TRUE(is_kept(third));
}

TEST_F(JobChanges, AnOwnerPinsSoManyAtMost) {
  settings_.max_pinned_per_owner = 1;
  reopen();
  const std::string first = add_ended(), second = add_ended();
  pin(first, true);
  pin(first, true);
  EXPECT_EQ(store_->change(second, "ada", {.pinned = true}).error().code, errc::too_many_jobs);
  pin(first, false);
  pin(second, true);
}

TEST_F(JobChanges, AnErrorChangesNothing) {
  const std::string id = add_ended();
  const auto refused = store_->change(
      id, "ada", {.title = "x", .speaker_names = protocol::SpeakerNames{{"Z", "Zoe"}}});
  EXPECT_EQ(refused.error().code, errc::usage);
  EXPECT_EQ(find(id).title, "");
}

TEST_F(JobChanges, AFilterTellsPinnedJobsApart) {
  const std::string first = add_ended(), second = add_ended();
  pin(first, true);
  const auto found = store_->slice("ada", {.pinned = true}, {}, 10).value().jobs;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, first);
  EXPECT_EQ(store_->slice("ada", {.pinned = false}, {}, 10).value().jobs[0].id, second);
}

}  // namespace
}  // namespace server
