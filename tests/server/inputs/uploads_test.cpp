#include "server/inputs/uploads.h"

#include <gtest/gtest.h>

#include <string>

#include "server/base/random_id.h"
#include "tests/server/inputs/uploads_fixture.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using test::clock_now;
using test::UploadsTest;

TEST_F(UploadsTest, AreListedForTheirOwnerTheNewestFirst) {
  const std::string first = add("a").value().id;
  clock_now += 1;
  const std::string second = add("b").value().id;
  add("c", "bob").value();
  const auto own = uploads_.list("ada");
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].id, second);
  EXPECT_EQ(own[1].id, first);
  EXPECT_TRUE(uploads_.list("eve").empty());
}

TEST_F(UploadsTest, PagesAreThoseOfTheWholeList) {
  for (const char* name : {"a.wav", "B.wav", "c.mp3", "d.wav"}) {
    add("sound", "ada", name).value();
    if (*name != 'B') clock_now += 1;  // two have the same time
  }
  add("sound", "bob", "e.wav").value();
  const auto all = uploads_.list("ada");
  for (const char* text : {"", ".WAV", "mp3", "none"}) {
    UploadQuery query{.text = text, .limit = 1};
    std::optional<UploadPage> page;
    do {
      page = uploads_.page("ada", query);
      const auto expected = page_of(all, query);
      ASSERT_TRUE(page && expected) << text;
      EXPECT_EQ(page->has_more, expected->has_more) << text;
      ASSERT_EQ(page->uploads.size(), expected->uploads.size()) << text;
      if (page->uploads.empty()) break;
      EXPECT_EQ(page->uploads[0].id, expected->uploads[0].id) << text;
      query.after = page->uploads[0].id;
    } while (page->has_more);
  }
  EXPECT_FALSE(uploads_.page("bob", {.after = all[0].id, .limit = 9})) << "it is not his";
  EXPECT_FALSE(page_of({}, {.after = all[0].id, .limit = 9}));
  EXPECT_TRUE(uploads_.page("eve", {.limit = 9})->uploads.empty());
}

TEST_F(UploadsTest, IsFoundByItsOwnerAlone) {
  const auto upload = add("sound").value();
  for (const auto& handle : {upload.id, "upload://" + upload.id}) {
    const auto found = uploads_.find(handle, "ada");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "talk.mp3");
    EXPECT_EQ(found->bytes, 5U);
    EXPECT_EQ(found->expires, 1060);
    EXPECT_FALSE(uploads_.find(handle, "bob"));
    EXPECT_FALSE(uploads_.find(handle, ""));
  }
}

TEST_F(UploadsTest, HandlesThatAreNoneFindNothing) {
  add("sound").value();
  test::write_text(root_ / "secret.json", R"({"owner":"ada","name":"x","bytes":1,"expires":9e9})");
  for (const char* handle : {"", "upload://", "../secret", "upload://../secret", "/etc/passwd",
                             "zzzzzzzzzzzzzzzzzzzzzzzzzz", "upload://upload://x", "."}) {
    EXPECT_FALSE(uploads_.find(handle, "ada")) << handle;
    EXPECT_FALSE(uploads_.remove(handle, "ada")) << handle;
  }
}

TEST_F(UploadsTest, SurvivesARestart) {
  const auto upload = add("sound", "ada", "t\xFFitle\n.mp3").value();
  const auto again = open();
  ASSERT_TRUE(again.find(upload.id, "ada"));
  EXPECT_EQ(again.find(upload.id, "ada")->bytes, 5U);
}

TEST_F(UploadsTest, WhatWasHalfWrittenGoesAtTheStart) {
  const auto upload = add("sound").value();
  // A crash can leave this: bytes alone, and a description that is cut.
  const std::string other(26, 'a');
  test::write_text(root_ / "uploads" / other, "bytes");
  test::write_text(root_ / "uploads" / (std::string(26, 'b') + ".json"), R"({"owner":)");
  const auto again = open();
  EXPECT_EQ(files(), 2);
  EXPECT_TRUE(again.find(upload.id, "ada"));
}

TEST_F(UploadsTest, WhatIsTakenOutlivesTheUpload) {
  const auto upload = add("sound").value();
  asio::io_context io;
  FairCalls disk(1, 1);
  const auto taken = test::run(io, take_upload(disk, uploads_, upload, spool_, true)).value();
  EXPECT_TRUE(uploads_.remove("upload://" + upload.id, "ada"));
  EXPECT_EQ(test::read_text(taken.path()), "sound");
  EXPECT_EQ(taken.path().parent_path(), spool_.folder());
  EXPECT_EQ(uploads_.take(upload, spool_).error().code, errc::upload_not_found);
  EXPECT_EQ(files(), 0);
}

TEST_F(UploadsTest, OneThatCameUnderAWrongClockIsNotKeptForEver) {
  clock_now = 400'000'000;
  const auto upload = add("sound").value();
  clock_now = 2000;
  EXPECT_EQ(uploads_.remove_expired(), 0);
  EXPECT_EQ(uploads_.find(upload.id, "ada")->expires, 2060);
  clock_now = 2060;
  EXPECT_EQ(uploads_.remove_expired(), 1);
  EXPECT_EQ(files(), 0);
}

TEST_F(UploadsTest, NothingGoesAtTheStartWhateverTheClockSays) {
  const auto upload = add("sound").value();
  clock_now = 400'000'000;
  EXPECT_TRUE(open().find(upload.id, "ada"));
}

TEST_F(UploadsTest, ManyExpiredOnesGoInPieces) {
  for (int i = 0; i < 90; ++i) add("s", "owner" + std::to_string(i / 4)).value();
  clock_now = 1060;
  EXPECT_EQ(uploads_.remove_expired(), 50) << "others are answered in between";
  EXPECT_EQ(uploads_.remove_expired(), 40);
  EXPECT_EQ(uploads_.remove_expired(), 0);
  EXPECT_EQ(files(), 0);
}

TEST_F(UploadsTest, ExpiredOnesGo) {
  const auto first = add("sound").value();
  clock_now = 1059.9;
  const auto second = add("sound").value();
  EXPECT_TRUE(uploads_.find(first.id, "ada"));
  clock_now = 1060;
  const auto being_written = uploads_.create("ada", 0).value();
  EXPECT_EQ(uploads_.remove_expired(), 1);
  EXPECT_FALSE(uploads_.find(first.id, "ada"));
  EXPECT_TRUE(uploads_.find(second.id, "ada"));
  EXPECT_EQ(files(), 3) << "the second with its description, and the one that is being written";
}

TEST_F(UploadsTest, OthersCannotRemoveIt) {
  const auto upload = add("sound").value();
  EXPECT_FALSE(uploads_.remove(upload.id, "bob"));
  EXPECT_TRUE(uploads_.find(upload.id, "ada"));
}

TEST_F(UploadsTest, OneOwnerHasSoManyAndNoMore) {
  const auto first = add("x").value();
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(add("x"));
  EXPECT_EQ(add("x").error().code, errc::too_many_uploads);
  EXPECT_EQ(uploads_.create("ada", 1).error().code, errc::too_many_uploads) << "before it is sent";
  EXPECT_TRUE(add("x", "bob"));
  uploads_ = open();
  EXPECT_EQ(uploads_.create("ada", 1).error().code, errc::too_many_uploads);
  EXPECT_TRUE(uploads_.remove(first.id, "ada"));
  EXPECT_TRUE(add("x"));
}

TEST_F(UploadsTest, AllTogetherAreBounded) {
  const auto first = add(std::string(60, 'x')).value();
  EXPECT_EQ(add(std::string(41, 'x')).error().code, errc::out_of_disk);
  EXPECT_TRUE(add(std::string(40, 'x')));
  uploads_ = open();
  EXPECT_EQ(add("x").error().code, errc::out_of_disk) << "also after a restart";
  EXPECT_EQ(uploads_.create("ada", 1).error().code, errc::out_of_disk) << "before it is sent";
  EXPECT_TRUE(uploads_.remove(first.id, "ada"));
  EXPECT_TRUE(add(std::string(60, 'x')));
}

}  // namespace
}  // namespace server
