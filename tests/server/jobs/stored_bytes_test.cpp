#include <gtest/gtest.h>

#include <string>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using protocol::Segment;

template <class UnderTest>
class StoredBytesOfOwners : public test::StoreCases<UnderTest> {
 protected:
  std::int64_t stored(const std::string& owner = "ada") {
    return this->store_->use_of(owner).value().stored_bytes;
  }
  // Adds a job that has ended with a segment of this text.
  std::string add_said(const std::string& text, const std::string& owner = "ada") {
    const std::string id = this->add(owner).id;
    this->take();
    const Segment said[] = {{.start = 0, .end = 1, .text = text}};
    EXPECT_TRUE(this->store_->add_segments(this->held(id), said));
    EXPECT_TRUE(this->store_->finish(this->held(id), {JobState::done}));
    return id;
  }
};
TYPED_TEST_SUITE(StoredBytesOfOwners, test::StoresUnderTest);

const std::string long_text(5000, 'x');

TYPED_TEST(StoredBytesOfOwners, RequestsWaitWithAllTheirOptions) {
  JobRequest request{.title = std::string(200, 't'), .owner = "ada"};
  request.metadata = {{"call", std::string(8000, 'm')}};
  request.options.hotwords = long_text;
  const std::string id = this->submit(std::move(request)).value().id;
  const auto waiting = this->stored();
  EXPECT_GT(waiting, 13'200);
  EXPECT_LT(waiting, 17'000);
  this->store_->cancel(id, "ada").value();
  EXPECT_LT(this->stored(), waiting - 5000 + 500) << "options go at the job's end";
  EXPECT_GT(this->stored(), 8200);
  EXPECT_EQ(this->stored("bob"), 0);
}

TYPED_TEST(StoredBytesOfOwners, SegmentsAndEveryVersionOfThem) {
  const std::string id = this->add_said(" said");
  const auto said = this->stored();
  const std::vector<TextEdit> edits{SetText{0, long_text}};
  ASSERT_TRUE(this->edit_text({id, "ada"}, edits));
  const auto once = this->stored();
  EXPECT_GT(once, said + 5000);
  EXPECT_LT(once, said + 6000) << "nothing counts twice";
  ASSERT_TRUE(this->restore_text({id, "ada"}, 0));
  const auto restored = this->stored();
  EXPECT_GT(restored, once);
  ASSERT_TRUE(this->restore_text({id, "ada"}, 1));
  EXPECT_GT(this->stored(), restored + 5000) << "as much as the edit";
}

TYPED_TEST(StoredBytesOfOwners, AnEditThatWritesASegmentTwiceCountsItOnce) {
  const std::string id = this->add_said(" said");
  const auto said = this->stored();
  const std::vector<TextEdit> edits{SetText{0, long_text}, SetText{0, long_text + "y"}};
  ASSERT_TRUE(this->edit_text({id, "ada"}, edits));
  EXPECT_LT(this->stored(), said + 6000);
}

TYPED_TEST(StoredBytesOfOwners, TitlesAndNames) {
  const std::string id = this->add_said(" said");
  const auto said = this->stored();
  this->store_->change(id, "ada", {.title = std::string(200, 't')}).value();
  EXPECT_EQ(this->stored(), said + 200);
  this->store_->change(id, "ada", {.title = ""}).value();
  EXPECT_EQ(this->stored(), said);
  ASSERT_TRUE(this->store_->set_speaker_names(id, {{"A", std::string(100, 'n')}}));
  EXPECT_GT(this->stored(), said + 100);
}

TYPED_TEST(StoredBytesOfOwners, JobsOfClientsThatWaitCountOnceTheyAreKept) {
  const std::string id = this->add_waited_for("ada").id;
  ASSERT_TRUE(this->store_->detach(id));
  EXPECT_GT(this->stored(), 100);
  ASSERT_TRUE(this->store_->remove(id));
  EXPECT_EQ(this->stored(), 0);
}

TYPED_TEST(StoredBytesOfOwners, NothingIsLeftOfWhatIsRemovedOrExpires) {
  const std::string id = this->add_said(long_text);
  const std::vector<TextEdit> edits{SetText{0, long_text + "y"}};
  ASSERT_TRUE(this->edit_text({id, "ada"}, edits));
  this->add_said(long_text);
  this->add_said(long_text, "bob");
  EXPECT_EQ(this->store_->stored_bytes().value().value().size(), 2U);
  ASSERT_TRUE(this->store_->remove(id));
  EXPECT_LT(this->stored(), 8000);
  this->advance(this->settings_.keep_s);
  EXPECT_EQ(this->store_->remove_expired().value(), 2);
  while (this->store_->tidy_up().value()) continue;
  EXPECT_EQ(this->stored(), 0);
  EXPECT_TRUE(this->store_->stored_bytes().value().value().empty());
}

TYPED_TEST(StoredBytesOfOwners, AreTheSameForEachAndForAll) {
  this->add_said(long_text);
  this->add_said(long_text, "bob");
  this->reopen();
  const auto all = this->store_->stored_bytes().value().value();
  EXPECT_EQ(static_cast<std::int64_t>(all.at("ada")), this->stored());
  EXPECT_EQ(static_cast<std::int64_t>(all.at("bob")), this->stored("bob"));
}

TYPED_TEST(StoredBytesOfOwners, AnEditThatTakesMoreThanThereIsRoomForChangesNothing) {
  const std::string id = this->add_said(" said");
  const auto before = this->stored();
  const std::vector<TextEdit> edits{SetText{0, long_text}};
  const auto refused = this->edit_text({.id = id, .owner = "ada", .most_growth = 5000}, edits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, "too_many_bytes");
  EXPECT_EQ(this->stored(), before);
  EXPECT_EQ(this->find(id).version, 0);
  EXPECT_TRUE(this->edit_text({.id = id, .owner = "ada", .most_growth = 6000}, edits));
  EXPECT_FALSE(this->restore_text({.id = id, .owner = "ada", .most_growth = 10}, 0));
}

TYPED_TEST(StoredBytesOfOwners, AJobIsNotAcceptedWhereThereIsNoRoomForIt) {
  const std::string id = this->add("ada", "the key").id;
  JobLimits full = test::no_limits;
  full.no_room = Error{errc::out_of_disk, "There is no room.", ""};
  const JobRequest request{.owner = "ada"};
  EXPECT_EQ(this->store_->submit(request, full).error().code, errc::out_of_disk);
  JobRequest again{
      .model = "base", .input = "/a.wav", .owner = "ada", .idempotency_key = "the key"};
  EXPECT_EQ(this->store_->submit(again, full).value().id, id) << "it has been accepted before";
}

}  // namespace
}  // namespace server
