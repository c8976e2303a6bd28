#include <gtest/gtest.h>

#include "server/base/random_id.h"
#include "server/inputs/uploads.h"
#include "tests/server/inputs/uploads_fixture.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using test::clock_now;
using test::UploadsTest;

// Its first byte gives an upload more time, which is another place.
TEST_F(UploadsTest, OneThatComesInPartsKeepsItsPlaceInTheList) {
  auto uploads =
      Uploads::open({.folder = root_ / "hours", .keep_s = 7200, .now = [] { return clock_now; }})
          .value();
  const auto whole = uploads.begin("ada", "", 0).value();
  const auto coming = uploads.begin("ada", "", 2).value();
  ASSERT_EQ(uploads.list("ada").front().id, whole.id) << "the other one expires soon";
  clock_now += 1;
  uploads.append(coming.id, "ada", 0, std::string_view("so")).value();
  EXPECT_EQ(uploads.list("ada").size(), 2U);
  EXPECT_EQ(uploads.page("ada", {.limit = 9})->uploads.size(), 2U);
  EXPECT_TRUE(uploads.remove(coming.id, "ada"));
  EXPECT_EQ(uploads.list("ada").size(), 1U);
  EXPECT_TRUE(uploads.remove(whole.id, "ada"));
  EXPECT_TRUE(uploads.list("ada").empty());
}

TEST_F(UploadsTest, ComeInParts) {
  const auto upload = uploads_.begin("ada", "talk.mp3", 10).value();
  EXPECT_FALSE(upload.is_whole());
  EXPECT_EQ(uploads_.take(upload, spool_).error().code, errc::upload_unfinished);
  EXPECT_EQ(uploads_.append(upload.id, "ada", 0, std::string_view("some ")).value(), 5U);
  EXPECT_EQ(uploads_.append(upload.id, "ada", 5, std::string_view("sound")).value(), 10U);
  const auto whole = uploads_.find(upload.id, "ada");
  ASSERT_TRUE(whole && whole->is_whole());
  EXPECT_EQ(test::read_text(uploads_.take(*whole, spool_).value()), "some sound");
}

TEST_F(UploadsTest, APartMustFollowWhatIsThere) {
  const std::string id = uploads_.begin("ada", "", 10).value().id;
  uploads_.append(id, "ada", 0, std::string_view("some ")).value();
  const auto add = [&](std::uint64_t offset, std::string_view bytes) {
    return uploads_.append(id, "ada", offset, bytes).error().code;
  };
  EXPECT_EQ(add(0, "some "), errc::wrong_offset);
  EXPECT_EQ(add(6, "ound"), errc::wrong_offset);
  EXPECT_EQ(add(5, "sound!"), errc::too_large);
  EXPECT_EQ(uploads_.append(id, "bob", 5, std::string_view("x")).error().code,
            errc::upload_not_found);
  EXPECT_EQ(uploads_.find(id, "ada")->received, 5U);
}

TEST_F(UploadsTest, PartsAreThereAfterARestart) {
  const std::string id = uploads_.begin("ada", "talk.mp3", 10).value().id;
  uploads_.append(id, "ada", 0, std::string_view("some ")).value();
  auto again = open();
  const auto found = again.find(id, "ada");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->received, 5U);
  EXPECT_EQ(found->bytes, 10U);
  EXPECT_EQ(again.append(id, "ada", 5, std::string_view("sound")).value(), 10U);
}

TEST_F(UploadsTest, WhatIsAnnouncedCountsWithItsFirstBytesAlone) {
  constexpr std::uint64_t mib = 1 << 20;
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{.per_owner = 100 * mib});
  auto uploads = Uploads::open({.folder = root_ / "announced",
                                .max_total_bytes = 60 * mib,
                                .max_bytes_of_one = 30 * mib,
                                .spool = {.room = room}})
                     .value();
  EXPECT_EQ(uploads.begin("ada", "", 31 * mib).error().code, errc::too_many_bytes)
      << "it could never be whole";
  const auto first = uploads.begin("ada", "", 20 * mib).value();
  const auto second = uploads.begin("ada", "", 20 * mib).value();
  EXPECT_LT(room->used_by("ada"), 17 * mib);
  EXPECT_GE(room->used_by("ada"), 16 * mib);
  EXPECT_TRUE(uploads.begin("bob", "", 30 * mib)) << "announcements keep nobody out";
  const std::string piece(mib, 'x');
  const auto send = [&](const Upload& upload, int pieces) {
    Result<std::uint64_t> answer = 0;
    for (int i = 0; i < pieces && answer; ++i) {
      const auto at = uploads.find(upload.id, "ada")->received;
      answer = uploads.append(upload.id, "ada", at, piece);
    }
    return answer;
  };
  EXPECT_EQ(send(first, 20).value(), 20 * mib);
  EXPECT_EQ(send(second, 10).value(), 10 * mib);
  EXPECT_EQ(send(second, 1).error().code, errc::too_many_bytes) << "it is asked again";
  EXPECT_EQ(uploads.find(second.id, "ada")->received, 10 * mib) << "what has come stays";
  EXPECT_TRUE(uploads.remove(first.id, "ada"));
  EXPECT_EQ(send(second, 10).value(), 20 * mib);
  EXPECT_LT(room->used_by("ada"), 21 * mib);
  auto again = Uploads::open({.folder = root_ / "announced", .spool = {.room = room}}).value();
  EXPECT_LT(room->used_by("ada"), 21 * mib);
}

TEST_F(UploadsTest, OneWithoutAByteExpiresAfterTenMinutes) {
  const auto open_for_hours = [&] {
    return Uploads::open(
               {.folder = root_ / "hours", .keep_s = 7200, .now = [] { return clock_now; }})
        .value();
  };
  auto uploads = open_for_hours();
  const auto empty = uploads.begin("ada", "", 10).value(),
             begun = uploads.begin("ada", "", 10).value();
  const auto whole = uploads.begin("ada", "", 0).value();
  EXPECT_EQ(empty.expires, 1600);
  EXPECT_EQ(whole.expires, 8200) << "it has all of its bytes";
  uploads.append(begun.id, "ada", 0, std::string_view("x")).value();
  EXPECT_EQ(uploads.find(begun.id, "ada")->expires, 8200);
  uploads = open_for_hours();
  EXPECT_EQ(uploads.find(empty.id, "ada")->expires, 1600) << "also after a restart";
  EXPECT_EQ(uploads.find(begun.id, "ada")->expires, 8200);
  clock_now = 1600;
  EXPECT_EQ(uploads.remove_expired(), 1);
  EXPECT_FALSE(uploads.find(empty.id, "ada"));
  EXPECT_EQ(uploads.append(begun.id, "ada", 1, std::string_view("y")).value(), 2U);
}

TEST_F(UploadsTest, CountWithTheirFirstBytesBeforeTheseAreThere) {
  const auto room = std::make_shared<DiskRoom>(DiskRoom::Limits{.per_owner = 10'000});
  auto uploads = Uploads::open({.folder = root_ / "counted", .spool = {.room = room}}).value();
  const auto upload = uploads.begin("ada", "", 8'000).value();
  const auto counted = room->used_by("ada");  // with the description
  EXPECT_GE(counted, 8'000U);
  EXPECT_EQ(uploads.begin("ada", "", 3'000).error().code, errc::too_many_bytes);
  uploads.append(upload.id, "ada", 0, std::string_view("x")).value();
  EXPECT_EQ(room->used_by("ada"), counted);
  const auto later = std::make_shared<DiskRoom>(DiskRoom::Limits{.per_owner = 10'000});
  auto again = Uploads::open({.folder = root_ / "counted", .spool = {.room = later}}).value();
  EXPECT_GE(later->used_by("ada"), 8'000U);
  EXPECT_TRUE(again.remove(upload.id, "ada"));
  EXPECT_EQ(later->used(), 0U);
}

TEST_F(UploadsTest, OnlySoManyOfOneOwnerMayBeUnfinished) {
  auto uploads = Uploads::open({.folder = root_ / "few", .max_unfinished_of_one = 2}).value();
  const auto first = uploads.begin("ada", "", 1).value();
  uploads.begin("ada", "", 1).value();
  EXPECT_EQ(uploads.begin("ada", "", 1).error().code, errc::too_many_uploads);
  EXPECT_TRUE(uploads.begin("bob", "", 1));
  uploads.append(first.id, "ada", 0, std::string_view("x")).value();
  EXPECT_TRUE(uploads.begin("ada", "", 1));
}

TEST_F(UploadsTest, UnfinishedOnesExpire) {
  const std::string id = uploads_.begin("ada", "", 10).value().id;
  clock_now += 61;
  EXPECT_EQ(uploads_.remove_expired(), 1);
  EXPECT_EQ(uploads_.append(id, "ada", 0, std::string_view("x")).error().code,
            errc::upload_not_found);
  EXPECT_EQ(files(), 0);
}

TEST_F(UploadsTest, OneThatAnotherDaemonHasBegunGoesOnHere) {
  const Upload elsewhere{.id = random_id(),
                         .owner = "ada",
                         .name = "a.wav",
                         .bytes = 10,
                         .received = 4,
                         .expires = 1060};
  const auto begun = uploads_.go_on_with(elsewhere);
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->id, elsewhere.id);
  EXPECT_EQ(begun->received, 0U) << "its bytes are not here yet";
  EXPECT_TRUE(begun->is_entered);
  uploads_.append(elsewhere.id, "ada", 0, std::string_view("soun")).value();
  EXPECT_EQ(uploads_.go_on_with(elsewhere)->received, 4U) << "it is here already";
  EXPECT_EQ(files(), 2);
  const auto again = open().find(elsewhere.id, "ada");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->received, 4U);
  EXPECT_TRUE(again->is_entered);
}

TEST_F(UploadsTest, WhatAllDoNotHaveIsForgottenWhereOthersWentOn) {
  const auto upload = uploads_.begin("ada", "a.wav", 10).value();
  uploads_.append(upload.id, "ada", 0, std::string_view("sounds")).value();
  uploads_.set_shared(upload.id, "ada", 5);
  ASSERT_TRUE(uploads_.cut_to_shared(upload.id, "ada"));
  EXPECT_EQ(uploads_.find(upload.id, "ada")->received, 5U);
  EXPECT_EQ(uploads_.append(upload.id, "ada", 6, std::string_view("x")).error().code,
            errc::wrong_offset);
  uploads_.append(upload.id, "ada", 5, std::string_view("ing")).value();
  EXPECT_EQ(test::read_text(uploads_.path(upload)), "sounding");
  EXPECT_FALSE(uploads_.cut_to_shared(upload.id, "bob"));
}

}  // namespace
}  // namespace server
