#include <gtest/gtest.h>

#include "server/jobs/job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

template <class UnderTest>
class JobChanges : public test::StoreCases<UnderTest> {
 protected:
  std::string add_ended() {
    const std::string id = this->add().id;
    this->take();
    EXPECT_TRUE(this->store_->finish(this->held(id), {}));
    return id;
  }
  Job pin(const std::string& id, bool pinned) {
    return this->store_->change(id, "ada", {.pinned = pinned}).value();
  }
  bool is_kept(const std::string& id) { return this->store_->find(id, "ada").value().has_value(); }
  void pass(double seconds) {
    this->advance(seconds);
    ASSERT_TRUE(this->store_->remove_expired());
  }
};
TYPED_TEST_SUITE(JobChanges, test::StoresUnderTest);

TYPED_TEST(JobChanges, ATitleIsKeptAndGivenBack) {
  const std::string id = this->submit({.title = "talk.wav", .owner = "ada"}).value().id;
  EXPECT_EQ(shown_title(this->find(id)), "talk.wav");
  EXPECT_EQ(shown_title(this->store_->change(id, "ada", {.title = "Minutes"}).value()), "Minutes");
  this->reopen();
  EXPECT_EQ(shown_title(this->find(id)), "Minutes");
  EXPECT_EQ(this->find(id).request.title, "talk.wav");
  ASSERT_TRUE(this->store_->change(id, "ada", {.title = ""}));
  EXPECT_EQ(shown_title(this->find(id)), "talk.wav");
}

TYPED_TEST(JobChanges, AreMadeByTheOwner) {
  const std::string id = this->add_ended();
  EXPECT_EQ(this->store_->change(id, "bob", {.title = "x"}).error().code, errc::job_not_found);
  EXPECT_EQ(this->store_->change("none", "ada", {.title = "x"}).error().code, errc::job_not_found);
}

TYPED_TEST(JobChanges, APinnedJobDoesNotExpire) {
  const std::string id = this->add_ended();
  const std::string other = this->add_ended();
  EXPECT_EQ(this->pin(id, true).expires, 0);
  this->pass(100 * 24 * 3600.0);
  EXPECT_TRUE(this->is_kept(id));
  EXPECT_FALSE(this->is_kept(other));
  EXPECT_EQ(this->pin(id, false).expires, this->now() + this->settings_.keep_s)
      << "its whole time again";
  this->pass(this->settings_.keep_s + 1);
  EXPECT_FALSE(this->is_kept(id));
}

TYPED_TEST(JobChanges, AJobThatIsPinnedWhileItRunsIsKeptAtItsEnd) {
  const std::string id = this->add().id;
  EXPECT_TRUE(this->pin(id, true).pinned);
  this->take();
  EXPECT_EQ(this->store_->finish(this->held(id), {})->expires, 0);
  const std::string second = this->add().id;
  this->pin(second, true);
  EXPECT_EQ(this->pin(second, false).expires, 0) << "it has not ended";
}

TYPED_TEST(JobChanges, AJobThatWasNamedOrSharedDoesNotExpire) {
  const std::string titled = this->add_ended(), shared = this->add_ended();
  EXPECT_EQ(this->store_->change(titled, "ada", {.title = "Minutes"})->expires, 0);
  EXPECT_EQ(this->store_->change(shared, "ada", {.shared = true})->expires, 0);
  const std::string named = this->add_ended();
  ASSERT_TRUE(this->store_->set_speaker_names(named, {{"A", "Anna"}}));
  const std::string other = this->add_ended();
  this->pass(100 * this->settings_.keep_s);
  for (const auto& id : {titled, shared, named}) EXPECT_TRUE(this->is_kept(id));
  EXPECT_FALSE(this->is_kept(other));
  EXPECT_EQ(this->pin(shared, true).expires, 0);
  EXPECT_EQ(this->pin(shared, false).expires, 0) << "it is shared all the same";
}

TYPED_TEST(JobChanges, AJobThatWasNamedBeforeItsEndIsKeptAtItsEnd) {
  const std::string id = this->add().id;
  ASSERT_TRUE(this->store_->change(id, "ada", {.title = "Minutes"}));
  this->take();
  EXPECT_EQ(this->store_->finish(this->held(id), {})->expires, 0);
}

TYPED_TEST(JobChanges, JobsThatWereWorkedWithAreNotAmongThoseThatAreTooMany) {
  this->settings_.max_kept_per_owner = 1;
  this->reopen();
  const std::string titled = this->add_ended();
  ASSERT_TRUE(this->store_->change(titled, "ada", {.title = "Minutes"}));
  const std::string second = this->add_ended(), third = this->add_ended();
  this->pass(1);
  EXPECT_TRUE(this->is_kept(titled));
  EXPECT_FALSE(this->is_kept(second));
  EXPECT_TRUE(this->is_kept(third));
}

TYPED_TEST(JobChanges, PinnedJobsAreNotAmongThoseThatAreTooMany) {
  this->settings_.max_kept_per_owner = 1;
  this->reopen();
  const std::string pinned = this->add_ended();
  this->pin(pinned, true);
  const std::string second = this->add_ended(), third = this->add_ended();
  this->pass(1);
  EXPECT_TRUE(this->is_kept(pinned));
  EXPECT_FALSE(this->is_kept(second));
  EXPECT_TRUE(this->is_kept(third));
}

TYPED_TEST(JobChanges, AnOwnerPinsSoManyAtMost) {
  this->settings_.max_pinned_per_owner = 1;
  this->reopen();
  const std::string first = this->add_ended(), second = this->add_ended();
  this->pin(first, true);
  this->pin(first, true);
  EXPECT_EQ(this->store_->change(second, "ada", {.pinned = true}).error().code,
            errc::too_many_jobs);
  this->pin(first, false);
  this->pin(second, true);
}

TYPED_TEST(JobChanges, AnErrorChangesNothing) {
  const std::string id = this->add_ended();
  const auto refused = this->store_->change(
      id, "ada", {.title = "x", .speaker_names = protocol::SpeakerNames{{"Z", "Zoe"}}});
  EXPECT_EQ(refused.error().code, errc::usage);
  EXPECT_EQ(this->find(id).title, "");
}

TYPED_TEST(JobChanges, AFilterTellsPinnedJobsApart) {
  const std::string first = this->add_ended(), second = this->add_ended();
  this->pin(first, true);
  const auto found = this->store_->slice("ada", {.pinned = true}, {}, 10).value().jobs;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, first);
  EXPECT_EQ(this->store_->slice("ada", {.pinned = false}, {}, 10).value().jobs[0].id, second);
}

}  // namespace
}  // namespace server
