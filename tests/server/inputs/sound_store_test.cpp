#include "server/inputs/sound_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "server/base/random_id.h"
#include "server/inputs/sound_peaks.h"
#include "server/inputs/wav_head.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class SoundStoreTest : public ::testing::Test {
 protected:
  SoundWriter begin(const std::string& job) { return sounds_.begin(job, "ada").value(); }
  // Adds so many samples.
  static void add(SoundWriter& writer, std::size_t count, std::int16_t sample = 100) {
    const std::vector<std::int16_t> samples(count, sample);
    ASSERT_TRUE(writer.write(samples));
  }

  test::TemporaryFolder root_{};
  std::shared_ptr<DiskRoom> room_ =
      std::make_shared<DiskRoom>(DiskRoom::Limits{.total = 200'000, .per_owner = 100'000});
  SoundStore sounds_ = SoundStore::open(root_ / "sounds", {.room = room_}).value();
  const std::string job_ = random_id();
};

TEST_F(SoundStoreTest, SoundMayBeHeardBeforeItIsWhole) {
  EXPECT_EQ(sounds_.find(job_), std::nullopt);
  EXPECT_EQ(sounds_.read(job_).error().code, errc::no_sound);
  auto writer = begin(job_);
  EXPECT_EQ(sounds_.find(job_), std::nullopt);
  add(writer, 16'000);
  EXPECT_EQ(sounds_.find(job_), (KeptSound{.bytes = 32'000, .is_whole = false}));
  EXPECT_EQ(sounds_.read(job_)->facts.seconds(), 1);
  writer.finish();
  EXPECT_EQ(sounds_.find(job_), (KeptSound{.bytes = 32'000, .is_whole = true}));
  EXPECT_TRUE(sounds_.read(job_)->facts.is_whole);
}

TEST_F(SoundStoreTest, SoundGoesOnBehindWhatWasWrittenBefore) {
  {
    auto writer = begin(job_);
    add(writer, 100, 1);
  }
  auto writer = begin(job_);
  add(writer, 100, 2);
  writer.finish();
  std::vector<std::int16_t> samples(200);
  const auto sound = sounds_.read(job_).value();
  ASSERT_EQ(::pread(sound.fd.get(), samples.data(), 400, 0), 400);
  EXPECT_EQ(samples[99], 1);
  EXPECT_EQ(samples[100], 2);
  EXPECT_EQ(room_->used_by("ada"), 400U);
}

TEST_F(SoundStoreTest, CountsForItsOwnerUntilItIsRemoved) {
  auto writer = begin(job_);
  add(writer, 1'000);
  EXPECT_EQ(room_->used_by("ada"), 2'000U);
  writer.finish();
  sounds_.remove(job_);
  EXPECT_EQ(sounds_.find(job_), std::nullopt);
  EXPECT_EQ(room_->used(), 0U);
}

TEST_F(SoundStoreTest, RefusesWhatItsOwnerHasNoRoomFor) {
  auto writer = begin(job_);
  const std::vector<std::int16_t> samples(60'000);
  EXPECT_EQ(writer.write(samples).error().code, errc::too_large);
  add(writer, 50'000);
  EXPECT_EQ(writer.write(std::span(samples).first(1)).error().code, errc::too_many_bytes);
  EXPECT_EQ(sounds_.find(job_)->bytes, 100'000U);
}

TEST_F(SoundStoreTest, LeavesHalfOfTheRoomToRecordings) {
  auto writer = begin(job_);
  EXPECT_EQ(writer.room(), 50'000U);
  room_->settle(4711, "ada", 30'000);
  EXPECT_EQ(writer.room(), 20'000U);
  room_->settle(4712, "ada", 30'000);
  EXPECT_EQ(writer.room(), 0U);
}

// Writes as a decoder does, which has the descriptor alone.
void write_bytes(const SoundWriter& writer, std::size_t count) {
  const std::string bytes(count, 'x');
  ASSERT_EQ(::write(writer.descriptor(), bytes.data(), count), static_cast<ssize_t>(count));
}

TEST_F(SoundStoreTest, SoundOfADecoderIsWholeAtItsEnd) {
  auto writer = sounds_.begin_anew(job_, "ada").value();
  write_bytes(writer, 16'000);
  writer.measure();
  EXPECT_EQ(room_->used_by("ada"), 16'000U);
  writer.finish_at(0.5);
  EXPECT_EQ(sounds_.find(job_), (KeptSound{.bytes = 16'000, .is_whole = true}));
  writer.finish_at(0.5);
  EXPECT_TRUE(sounds_.find(job_)->is_whole);
}

TEST_F(SoundStoreTest, SoundThatADecoderGaveUpIsRemoved) {
  auto writer = sounds_.begin_anew(job_, "ada").value();
  write_bytes(writer, 16'000);
  writer.finish_at(2);
  EXPECT_EQ(sounds_.find(job_), std::nullopt);
  EXPECT_EQ(room_->used(), 0U);
}

TEST_F(SoundStoreTest, AFileWithoutSoundGoesWithItsWriter) {
  const std::string job = random_id();
  { const auto writer = sounds_.begin_anew(job, "ada").value(); }
  EXPECT_TRUE(sounds_.jobs().empty());
}

TEST_F(SoundStoreTest, AnotherAttemptLeavesNothingOfALongerOne) {
  {
    auto first = sounds_.begin_anew(job_, "ada").value();
    write_bytes(first, 40'000);
  }
  auto second = sounds_.begin_anew(job_, "ada").value();
  EXPECT_EQ(sounds_.find(job_)->bytes, 40'000U) << "who listens meanwhile keeps what there is";
  write_bytes(second, 16'000);
  second.finish_at(0.5);
  EXPECT_EQ(sounds_.find(job_), (KeptSound{.bytes = 16'000, .is_whole = true}));
}

TEST_F(SoundStoreTest, WritesNothingForAJobThatWasRemovedMeanwhile) {
  auto writer = sounds_.begin_anew(job_, "ada").value();
  write_bytes(writer, 16'000);
  sounds_.remove(job_);
  writer.finish_at(0.5);
  EXPECT_EQ(sounds_.find(job_), std::nullopt);
  EXPECT_TRUE(sounds_.jobs().empty());
  EXPECT_EQ(room_->used(), 0U);
}

TEST_F(SoundStoreTest, GivesWholeSoundToAnotherJob) {
  const Spool spool = Spool::open(root_ / "spool", {.room = room_}).value();
  auto writer = begin(job_);
  add(writer, 1'000);
  EXPECT_EQ(sounds_.take(job_, spool).error().code, errc::no_sound);
  writer.finish();
  const fs::path file = sounds_.take(job_, spool).value();
  const std::string other = random_id();
  ASSERT_TRUE(sounds_.link(file, other));
  EXPECT_EQ(room_->used(), 2'000U) << "the same bytes count once";
  sounds_.remove(job_);
  spool.remove(file);
  EXPECT_EQ(sounds_.find(other), (KeptSound{.bytes = 2'000, .is_whole = true}));
  EXPECT_EQ(room_->used(), 2'000U);
}

TEST_F(SoundStoreTest, IsFoundAgainAfterARestart) {
  auto writer = begin(job_);
  add(writer, 1'000);
  const std::string other = random_id();
  begin(other).finish();
  EXPECT_EQ(sounds_.use().bytes, 2'000U);
  EXPECT_EQ(sounds_.use().jobs, 1U) << "one of them is empty";
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{});
  const auto again = SoundStore::open(root_ / "sounds", {.room = room}).value();
  EXPECT_EQ(again.jobs().size(), 2U);
  again.adopt(job_, "ada");
  EXPECT_EQ(room->used_by("ada"), 2'000U);
  again.finish(job_);
  EXPECT_TRUE(again.find(job_)->is_whole);
}

TEST_F(SoundStoreTest, NamesThatAreNoIdsFindNothing) {
  test::write_text(root_ / "secret", "bytes");
  EXPECT_EQ(sounds_.read("../secret").error().code, errc::no_sound);
  EXPECT_EQ(sounds_.read("").error().code, errc::no_sound);
}

TEST_F(SoundStoreTest, PeaksGrowWithTheSound) {
  auto writer = begin(job_);
  add(writer, 1'600, 32'767);
  add(writer, 1'600, -16'384);
  add(writer, 100, 32'767);
  std::string loud("\xff\x7f", 2);
  EXPECT_EQ(sound_peaks(sounds_, job_).value(), loud);
  add(writer, 1'500, 0);
  loud += '\xff';
  EXPECT_EQ(sound_peaks(sounds_, job_).value(), loud);
  add(writer, 10, -32'768);
  EXPECT_EQ(sound_peaks(sounds_, job_).value(), loud) << "the last tenth is not complete";
  writer.finish();
  loud += '\xff';
  EXPECT_EQ(sound_peaks(sounds_, job_).value(), loud);
  EXPECT_EQ(sound_peaks(sounds_, job_).value(), loud) << "what is not complete is not kept";
}

TEST_F(SoundStoreTest, PeaksGoWithTheSound) {
  auto writer = begin(job_);
  add(writer, 3'200);
  ASSERT_TRUE(sound_peaks(sounds_, job_));
  sounds_.remove(job_);
  EXPECT_TRUE(fs::is_empty(root_ / "sounds"));
  EXPECT_EQ(sound_peaks(sounds_, job_).error().code, errc::no_sound);
}

TEST_F(SoundStoreTest, PeaksThatAreOpenedWhenTheSoundIsGoneLeaveNoFile) {
  auto writer = begin(job_);
  add(writer, 100);
  EXPECT_TRUE(sounds_.open_peaks(job_));
  EXPECT_TRUE(fs::exists(sounds_.peaks_path(job_)));
  sounds_.remove(job_);
  EXPECT_TRUE(sounds_.open_peaks(job_));
  EXPECT_TRUE(sounds_.jobs().empty());
}

TEST(WavHead, SaysWhatFollows) {
  const std::string head = wav_head(32'000);
  ASSERT_EQ(head.size(), wav_head_bytes);
  EXPECT_EQ(head.substr(0, 4), "RIFF");
  EXPECT_EQ(head.substr(4, 4), std::string("\x24\x7d\0\0", 4));
  EXPECT_EQ(head.substr(8, 8), "WAVEfmt ");
  EXPECT_EQ(head.substr(20, 4), std::string("\1\0\1\0", 4));
  EXPECT_EQ(head.substr(24, 4), std::string("\x80\x3e\0\0", 4));
  EXPECT_EQ(head.substr(36, 8), std::string("data\0\x7d\0\0", 8));
}

TEST(WavHead, OfSoundThatIsTooLongForTheFormatSaysTheMost) {
  EXPECT_EQ(wav_head(5'000'000'000).substr(40, 4), "\xff\xff\xff\xff");
}

}  // namespace
}  // namespace server
