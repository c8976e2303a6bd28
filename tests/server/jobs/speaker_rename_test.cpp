#include "server/jobs/speaker_rename.h"

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using protocol::SpeakerNames;
using Labels = std::vector<std::string>;

class SpeakerRename : public test::JobStoreTest {
 protected:
  // Adds a job in which B begins to speak before A.
  std::string add_conversation() {
    const std::string id = add().id;
    take();
    std::vector<protocol::Segment> segments{test::segment(0), test::segment(1), test::segment(2)};
    segments[0].speaker = "B";
    segments[1].speaker = "A";
    EXPECT_TRUE(store_->add_segments(held(id), segments));
    JobEnd end;
    end.summary.turns = {{0, 2, "B"}, {2, 4, "A"}, {5, 6, "B"}};
    EXPECT_TRUE(store_->finish(held(id), end));
    return id;
  }
  Result<Job> rename(const std::string& id, const SpeakerNames& changes,
                     const std::string& owner = "ada") {
    return rename_speakers(*store_, id, owner, changes);
  }
  Labels speakers_of_segments(const std::string& id) {
    Labels speakers;
    for (const auto& one : store_->segments(id, 0, 10).value()) speakers.push_back(one.speaker);
    return speakers;
  }
};

TEST_F(SpeakerRename, NamesAreKeptWithTheJobAndStandForTheLabels) {
  const std::string id = add_conversation();
  EXPECT_EQ(speaker_labels(find(id)), (Labels{"B", "A"}));
  const auto renamed = rename(id, {{"A", "Anna"}});
  ASSERT_TRUE(renamed) << renamed.error().message;
  EXPECT_EQ(renamed->speaker_names, (SpeakerNames{{"A", "Anna"}}));
  reopen();
  EXPECT_EQ(find(id).speaker_names, (SpeakerNames{{"A", "Anna"}}));
  EXPECT_EQ(speakers_of_segments(id), (Labels{"B", "Anna", ""}));
  EXPECT_EQ(speaker_labels(find(id)), (Labels{"B", "A"})) << "labels stay what they are";
  const auto transcript = transcript_of(find(id), {});
  EXPECT_EQ(transcript.turns[1].speaker, "Anna");
}

TEST_F(SpeakerRename, LeavesOtherNamesAsTheyAreAndAnEmptyOneGivesTheLabelBack) {
  const std::string id = add_conversation();
  ASSERT_TRUE(rename(id, {{"A", "Anna"}}));
  EXPECT_EQ(rename(id, {{"B", "Bob"}})->speaker_names, (SpeakerNames{{"A", "Anna"}, {"B", "Bob"}}));
  EXPECT_EQ(rename(id, {{"A", ""}})->speaker_names, (SpeakerNames{{"B", "Bob"}}));
  EXPECT_EQ(rename(id, {{"B", "B"}})->speaker_names, SpeakerNames{}) << "its own label is no name";
  EXPECT_EQ(speakers_of_segments(id), (Labels{"B", "A", ""}));
  EXPECT_TRUE(rename(id, {}));
}

TEST_F(SpeakerRename, OneNameForTwoLabelsMakesOnePersonOfThem) {
  const std::string id = add_conversation();
  ASSERT_TRUE(rename(id, {{"A", "Anna"}, {"B", "Anna"}}));
  EXPECT_EQ(speakers_of_segments(id), (Labels{"Anna", "Anna", ""}));
  const auto turns = transcript_of(find(id), {}).turns;
  EXPECT_EQ(turns, (std::vector<protocol::SpeakerTurn>{{0, 4, "Anna"}, {5, 6, "Anna"}}));
  ASSERT_TRUE(rename(id, {{"A", ""}}));
  EXPECT_EQ(speakers_of_segments(id), (Labels{"Anna", "A", ""}));
}

TEST_F(SpeakerRename, AnErrorChangesNoName) {
  const std::string id = add_conversation();
  const auto unknown = rename(id, {{"A", "Anna"}, {"C", "Carl"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, errc::usage);
  EXPECT_EQ(unknown.error().message, "There is no speaker C in this job.");
  EXPECT_EQ(unknown.error().fix, "Its speakers are: B, A.");
  EXPECT_EQ(rename(id, {{"A", "An\nna"}}).error().code, protocol::bad_speaker_name);
  EXPECT_EQ(rename(id, {{"A", "Anna"}}, "bob").error().code, errc::job_not_found);
  EXPECT_EQ(rename("none", {{"A", "Anna"}}).error().code, errc::job_not_found);
  EXPECT_TRUE(find(id).speaker_names.empty());
}

TEST_F(SpeakerRename, NeedsAJobThatHasEndedWithSpeakers) {
  const std::string id = add().id;
  EXPECT_EQ(rename(id, {{"A", "Anna"}}).error().code, errc::job_not_ended);
  take();
  EXPECT_EQ(rename(id, {{"A", "Anna"}}).error().code, errc::job_not_ended);
  ASSERT_TRUE(store_->finish(held(id), {}));
  const auto nobody = rename(id, {{"A", "Anna"}});
  EXPECT_EQ(nobody.error().message, "The job has no speakers to name.");
}

TEST_F(SpeakerRename, ASearchFindsTheName) {
  const std::string id = add_conversation();
  const auto found = [&](const std::string& text) {
    return store_->slice("ada", {.texts = {text}}, {}, 10).value().jobs.size();
  };
  EXPECT_EQ(found("anna"), 0U);
  ASSERT_TRUE(rename(id, {{"A", "Anna"}}));
  EXPECT_EQ(found("anna"), 1U);
  EXPECT_EQ(found("{"), 0U) << "a name is found, and not how it is stored";
}

TEST_F(SpeakerRename, IsOfAJobInMemoryToo) {
  const std::string id = add_waited_for("ada").id;
  take(true);
  JobEnd end;
  end.summary.turns = {{0, 2, "A"}};
  ASSERT_TRUE(store_->finish(held(id), end));
  ASSERT_TRUE(rename(id, {{"A", "Anna"}}));
  ASSERT_TRUE(store_->detach(id));
  reopen();
  EXPECT_EQ(find(id).speaker_names, (SpeakerNames{{"A", "Anna"}}));
}

}  // namespace
}  // namespace server
