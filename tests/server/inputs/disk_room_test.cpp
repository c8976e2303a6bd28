#include "server/inputs/disk_room.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::uint64_t left = 0;  // free bytes of the disk

TEST(DiskRoom, OneOwnerCannotTakeWhatIsForOthers) {
  DiskRoom room({.total = 100, .per_owner = 60});
  ASSERT_TRUE(room.reserve(1, "ada", 50));
  EXPECT_EQ(room.reserve(2, "ada", 11).error().code, errc::too_many_bytes);
  EXPECT_EQ(http_status(errc::too_many_bytes), 429);
  ASSERT_TRUE(room.reserve(2, "bob", 40));
  EXPECT_EQ(room.reserve(3, "eve", 11).error().code, errc::out_of_disk);
  room.give_back(1);
  EXPECT_TRUE(room.reserve(3, "eve", 60));
}

TEST(DiskRoom, WhatNobodyMayHaveIsTooLarge) {
  DiskRoom room({.total = 100, .per_owner = 60});
  EXPECT_EQ(room.check("ada", 61).error().code, "too_large");
  EXPECT_EQ(room.check("ada", ~0ULL).error().code, "too_large");
  EXPECT_TRUE(room.check("ada", 60));
  EXPECT_EQ(room.used(), 0U) << "asking takes nothing";
}

TEST(DiskRoom, AFileGrowsAndIsSettled) {
  DiskRoom room({.per_owner = 60});
  ASSERT_TRUE(room.reserve(1, "ada", 20));
  ASSERT_TRUE(room.reserve(1, "ada", 60));
  EXPECT_FALSE(room.reserve(1, "ada", 61));
  ASSERT_TRUE(room.reserve(1, "ada", 10)) << "it has more already";
  EXPECT_EQ(room.used(), 60U);
  room.settle(1, "ada", 15);
  EXPECT_EQ(room.used(), 15U);
  room.give_back(1);
  room.give_back(1);
  EXPECT_EQ(room.used(), 0U);
}

TEST(DiskRoom, LeavesTheDiskSomeRoom) {
  left = 100;
  DiskRoom room({.min_free = 40, .free_bytes = [] { return left; }});
  EXPECT_EQ(room.check("ada", 61).error().code, errc::out_of_disk);
  ASSERT_TRUE(room.reserve(1, "ada", 60));
  ASSERT_TRUE(room.reserve(2, "bob", 60)) << "what ada has only announced keeps nobody out";
  EXPECT_FALSE(room.disk_is_full());
  left = 39;
  EXPECT_TRUE(room.disk_is_full());
  EXPECT_EQ(room.reserve(2, "bob", 10).error().code, errc::out_of_disk);
  left = 40;
  EXPECT_FALSE(room.disk_is_full());
  EXPECT_TRUE(room.reserve(2, "bob", 10));
}

TEST(DiskRoom, AnOwnersOwnLimitIsNeverMoreThanThatOfAll) {
  DiskRoom room({.per_owner = 60, .of_owner = {{"ada", 20}, {"bob", 100}}});
  EXPECT_EQ(room.check("ada", 21).error().code, "too_large");
  ASSERT_TRUE(room.reserve(1, "ada", 15));
  EXPECT_EQ(room.check("ada", 6).error().code, errc::too_many_bytes);
  EXPECT_EQ(room.check("bob", 61).error().code, "too_large");
  EXPECT_EQ(room.used_by("ada"), 15U);
  EXPECT_EQ(room.used_by("bob"), 0U);
  room.set_limits({.per_owner = 60});
  EXPECT_TRUE(room.check("ada", 45)) << "what it has stays counted";
  EXPECT_FALSE(room.check("ada", 46));
}

TEST(DiskRoom, WhatIsStoredBesidesFilesCountsWithThem) {
  DiskRoom room({.total = 200, .per_owner = 100});
  ASSERT_TRUE(room.reserve(1, "ada", 30));
  room.set_stored(DiskRoom::Kind::jobs, {{"ada", 40}, {"bob", 5}});
  room.set_stored(DiskRoom::Kind::links, {{"ada", 10}});
  EXPECT_EQ(room.used_by("ada"), 80U);
  EXPECT_EQ(room.used(), 85U);
  EXPECT_EQ(room.check("ada", 21).error().code, errc::too_many_bytes);
  EXPECT_EQ(room.check_stored("ada", 20).value(), 20U);
  EXPECT_EQ(room.check_stored("ada", 21).error().code, errc::too_many_bytes);
  room.set_stored(DiskRoom::Kind::jobs, {{"ada", 60}});
  EXPECT_EQ(room.used_by("bob"), 0U);
  EXPECT_EQ(room.check_stored("ada", 0).error().code, errc::too_many_bytes) << "nothing is left";
  EXPECT_EQ(room.check_stored("bob", 0).value(), 100U);
  ASSERT_TRUE(room.reserve(2, "bob", 90));
  EXPECT_EQ(room.check_stored("bob", 11).error().code, errc::too_many_bytes);
  EXPECT_EQ(room.check_stored("eve", 11).error().code, errc::out_of_disk) << "of all";
}

TEST(DiskRoom, TellsWhatEachOwnerHas) {
  DiskRoom room({.total = 200, .per_owner = 100, .min_free = 7});
  room.settle(1, "ada", 30, FileKind::audio);
  ASSERT_TRUE(room.reserve(2, "ada", 5));
  ASSERT_TRUE(room.reserve(1, "ada", 32, FileKind::upload)) << "it stays audio";
  room.set_stored(DiskRoom::Kind::jobs, {{"ada", 3}, {"eve", 1}});
  room.set_stored(DiskRoom::Kind::links, {{"ada", 2}});
  const DiskUse ada = room.use_of("ada");
  EXPECT_EQ(ada.audio, 32U);
  EXPECT_EQ(ada.uploads, 5U);
  EXPECT_EQ(ada.transcripts, 5U);
  EXPECT_EQ(ada.total(), room.used_by("ada"));
  EXPECT_EQ(room.use_of_all().size(), 2U);
  EXPECT_EQ(room.use_of_all()["eve"].transcripts, 1U);
  room.give_back(1);
  room.give_back(2);
  room.set_stored(DiskRoom::Kind::jobs, {{"ada", 0}});
  room.set_stored(DiskRoom::Kind::links, {});
  EXPECT_TRUE(room.use_of_all().empty()) << "who has nothing is not named";
  EXPECT_EQ(room.use_of("bob").total(), 0U);
  EXPECT_EQ(room.most_of_all(), 200U);
  EXPECT_EQ(room.min_free(), 7U);
}

TEST(DiskRoom, NothingIsStoredOnAFullDisk) {
  left = 100;
  DiskRoom room({.min_free = 40, .free_bytes = [] { return left; }});
  EXPECT_EQ(room.check_stored("ada", 0).value(), 60U);
  EXPECT_EQ(room.check_stored("ada", 61).error().code, errc::out_of_disk);
  left = 39;
  EXPECT_EQ(room.check_stored("ada", 0).error().code, errc::out_of_disk);
}

}  // namespace
}  // namespace server
