#include "server/uploads_postgres/postgres_upload_catalog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/random_id.h"
#include "server/inputs/disk_room.h"
#include "tests/server/jobs_postgres/postgres_under_test.h"

namespace server {
namespace {

class UploadCatalogTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tables_.why_not().empty()) GTEST_SKIP() << tables_.why_not();
    catalog_ = open();
  }

  std::unique_ptr<UploadCatalog> open() const {
    return open_postgres_upload_catalog(
        {.address = tables_.settings.address, .schema = tables_.settings.schema});
  }
  static Upload whole(const std::string& owner, std::uint64_t bytes = 10) {
    return {
        .id = random_id(), .owner = owner, .name = "talk.mp3", .bytes = bytes, .received = bytes};
  }
  Result<Upload> add(const std::string& owner, std::uint64_t bytes = 10) {
    return enter(whole(owner, bytes));
  }
  Result<Upload> enter(const Upload& upload) {
    auto entered = catalog_->add(upload, terms_);
    if (!entered) return entered.error();
    return entered->upload;
  }

  test::PostgresUnderTest tables_{};
  std::unique_ptr<UploadCatalog> catalog_{};
  UploadTerms terms_{.keep_s = 60};
};

TEST_F(UploadCatalogTest, WhatOneDaemonEntersAllFind) {
  const auto added = add("ada");
  ASSERT_TRUE(added);
  EXPECT_EQ(added->expires, 1060) << "by the clock of the database";
  const auto found = open()->find(added->id, "ada").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "talk.mp3");
  EXPECT_EQ(found->bytes, 10U);
  EXPECT_TRUE(found->is_whole());
  EXPECT_FALSE(open()->find(added->id, "bob").value()) << "it is its owner's alone";
}

TEST_F(UploadCatalogTest, TheNewestIsTheFirst) {
  const auto first = add("ada").value();
  tables_.set_now(1001);
  const auto second = add("ada").value();
  ASSERT_TRUE(add("bob"));
  const auto listed = catalog_->list("ada").value();
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].id, second.id);
  EXPECT_EQ(listed[1].id, first.id);
}

TEST_F(UploadCatalogTest, EnteringOneAgainChangesNothing) {
  const auto upload = whole("ada");
  terms_.most_of_one = 1;
  const auto added = enter(upload).value();
  tables_.set_now(1010);
  const auto again = enter(upload);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->expires, added.expires);
}

TEST_F(UploadCatalogTest, RemovesWhatIsItsOwners) {
  const auto added = add("ada").value();
  EXPECT_TRUE(catalog_->remove(added.id, "bob").value().empty());
  EXPECT_EQ(catalog_->remove(added.id, "ada").value(), std::vector{added.id});
  EXPECT_TRUE(catalog_->remove(added.id, "ada").value().empty());
}

TEST_F(UploadCatalogTest, HasLimits) {
  terms_ = {.keep_s = 60, .most_of_one = 2, .bytes_of_one = 100, .total_bytes = 150};
  EXPECT_EQ(add("ada", 101).error().code, errc::too_many_bytes);
  ASSERT_TRUE(add("ada", 50));
  ASSERT_TRUE(add("ada", 50));
  EXPECT_EQ(add("ada", 0).error().code, errc::too_many_uploads);
  EXPECT_EQ(add("bob", 60).error().code, errc::out_of_disk);
  EXPECT_TRUE(add("bob", 50));
}

TEST_F(UploadCatalogTest, LimitsOfAnOwnerAreExactOverAllDaemons) {
  terms_.most_of_one = 5;
  std::atomic<int> added = 0;
  {
    std::vector<std::jthread> daemons;
    for (int i = 0; i < 4; ++i) {
      daemons.emplace_back([&] {
        const auto mine = open();
        for (int tries = 0; tries < 5; ++tries) {
          if (mine->add(whole("ada"), terms_)) ++added;
        }
      });
    }
  }
  EXPECT_EQ(added, 5);
  EXPECT_EQ(catalog_->list("ada").value().size(), 5U);
}

TEST_F(UploadCatalogTest, WhatHasExpiredIsTakenOnce) {
  const auto old = add("ada").value();
  tables_.set_now(1059);
  EXPECT_TRUE(catalog_->take_expired(10).value().empty());
  const auto young = add("ada").value();
  tables_.set_now(1060);
  EXPECT_EQ(open()->take_expired(10).value(), std::vector{old.id});
  EXPECT_TRUE(catalog_->take_expired(10).value().empty());
  EXPECT_TRUE(catalog_->find(young.id, "ada").value());
}

TEST_F(UploadCatalogTest, TellsWhichAreNotEntered) {
  const auto there = add("ada").value();
  const std::string gone = random_id();
  EXPECT_EQ(catalog_->missing({there.id, gone}).value(), std::vector{gone});
  EXPECT_TRUE(catalog_->missing({}).value().empty());
}

// An upload of ten bytes that is still coming.
class UploadPartsTest : public UploadCatalogTest {
 protected:
  void SetUp() override {
    UploadCatalogTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(catalog_->add(upload_, terms_));
  }
  static Upload coming(const std::string& owner) {
    Upload upload = whole(owner);
    upload.received = 0;
    return upload;
  }
  // Enters a part by another daemon; its id is returned.
  std::string enter_part(std::uint64_t from, std::uint64_t bytes) {
    const UploadPart part{random_id(), from, bytes};
    EXPECT_EQ(open()->add_part(upload_.id, "ada", part, terms_).value(), from + bytes);
    return part.id;
  }
  Result<EnteredUpload> finish() {
    Upload upload = upload_;
    upload.received = upload.bytes;
    upload.is_entered = true;
    return catalog_->add(upload, terms_);
  }

  const Upload upload_ = coming("ada");
};

TEST_F(UploadPartsTest, WhatOneDaemonHasReceivedAllFind) {
  const auto first = enter_part(0, 3), second = enter_part(3, 4);
  EXPECT_EQ(catalog_->find(upload_.id, "ada").value()->received, 7U);
  EXPECT_EQ(catalog_->list("ada").value()[0].received, 7U);
  const auto parts = catalog_->parts(upload_.id).value();
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].id, first);
  EXPECT_EQ(parts[1].id, second);
  EXPECT_EQ(parts[1].from, 3U);
  EXPECT_EQ(parts[1].bytes, 4U);
  EXPECT_TRUE(catalog_->missing({first, second}).value().empty());
}

TEST_F(UploadPartsTest, APartThatDoesNotFollowIsRefused) {
  enter_part(0, 3);
  for (const auto& [from, bytes] : {std::pair(0, 3), {2, 2}, {4, 1}, {3, 7}}) {
    const auto refused = catalog_->add_part(
        upload_.id, "ada",
        {random_id(), static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(bytes)}, terms_);
    ASSERT_FALSE(refused) << from;
    EXPECT_EQ(refused.error().code, errc::wrong_offset);
  }
  const auto by_bob = catalog_->add_part(upload_.id, "bob", {random_id(), 3, 1}, terms_);
  EXPECT_EQ(by_bob.error().code, errc::upload_not_found);
  EXPECT_EQ(catalog_->parts(upload_.id).value().size(), 1U);
}

TEST_F(UploadPartsTest, TheWholeMakesPartsUnused) {
  const auto part = enter_part(0, 3);
  tables_.set_now(1010);
  const auto finished = finish();
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->upload.is_whole());
  EXPECT_EQ(finished->upload.expires, 1070) << "its time begins with its end";
  EXPECT_EQ(finished->unused_parts, std::vector{part});
  EXPECT_TRUE(catalog_->parts(upload_.id).value().empty());
  EXPECT_EQ(catalog_->add_part(upload_.id, "ada", {random_id(), 3, 1}, terms_).error().code,
            errc::wrong_offset);
}

TEST_F(UploadPartsTest, OneThatWasRemovedDoesNotComeBackByItsLastPart) {
  const auto part = enter_part(0, 3);
  const auto removed = catalog_->remove(upload_.id, "ada").value();
  EXPECT_EQ(std::set(removed.begin(), removed.end()), (std::set{upload_.id, part}));
  EXPECT_EQ(finish().error().code, errc::upload_not_found);
  EXPECT_FALSE(catalog_->find(upload_.id, "ada").value());
}

// A removal that is committed while the last part is entered comes first.
TEST_F(UploadPartsTest, ARemovalThatComesFirstIsNoSuccessOfTheEnd) {
  postgres::Connection other(tables_.connection);
  other.execute("BEGIN; SET LOCAL search_path TO " + tables_.settings.schema);
  other.query("DELETE FROM uploads WHERE id = $1", upload_.id);
  std::jthread later([&other] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    other.execute("COMMIT");
  });
  const auto finished = finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, errc::upload_not_found);
}

TEST_F(UploadPartsTest, HaveANumberThatIsNotPassed) {
  tables_.execute(
      "UPDATE uploads SET bytes = 100000; INSERT INTO upload_parts "
      "SELECT 'part' || i, id, i, 1 FROM uploads, generate_series(0, 9999) AS i; "
      "UPDATE uploads SET received = 10000");
  EXPECT_EQ(catalog_->add_part(upload_.id, "ada", {random_id(), 10'000, 1}, terms_).error().code,
            errc::too_large);
  EXPECT_EQ(catalog_->find(upload_.id, "ada").value()->received, 10'000U);
}

TEST_F(UploadPartsTest, OneWithoutAByteExpiresSoon) {
  terms_.keep_s = 7200;
  Upload empty = coming("ada"), begun = coming("ada"), coming_here = coming("ada");
  EXPECT_EQ(enter(empty)->expires, 1600);
  ASSERT_TRUE(enter(begun));
  ASSERT_TRUE(enter(coming_here));
  ASSERT_TRUE(catalog_->add_part(begun.id, "ada", {random_id(), 0, 3}, terms_));
  ASSERT_TRUE(catalog_->keep_coming({begun.id, coming_here.id}, 7200));
  tables_.set_now(1600);
  const auto expired = catalog_->take_expired(10).value();
  EXPECT_EQ(std::set(expired.begin(), expired.end()), (std::set{upload_.id, empty.id}));
  EXPECT_EQ(catalog_->find(begun.id, "ada").value()->expires, 8200);
  EXPECT_EQ(catalog_->find(coming_here.id, "ada").value()->expires, 8200);
}

TEST_F(UploadPartsTest, CountWithTheirFirstBytesAndThoseThatHaveCome) {
  constexpr std::uint64_t mib = 1 << 20;
  terms_.bytes_of_one = 30 * mib;
  terms_.total_bytes = 60 * mib;
  const auto begin = [&](const std::string& owner, std::uint64_t bytes) {
    Upload upload = coming(owner);
    upload.bytes = bytes;
    return enter(upload);
  };
  EXPECT_EQ(begin("ada", 31 * mib).error().code, errc::too_many_bytes);
  const auto first = begin("ada", 20 * mib).value(), second = begin("ada", 20 * mib).value();
  EXPECT_TRUE(begin("bob", 30 * mib)) << "announcements keep nobody out";
  ASSERT_TRUE(catalog_->add_part(first.id, "ada", {random_id(), 0, 19 * mib}, terms_));
  ASSERT_TRUE(catalog_->add_part(second.id, "ada", {random_id(), 0, 10 * mib}, terms_));
  const auto refused = catalog_->add_part(second.id, "ada", {random_id(), 10 * mib, mib}, terms_);
  ASSERT_FALSE(refused) << "it is asked again";
  EXPECT_EQ(refused.error().code, errc::too_many_bytes);
  EXPECT_EQ(catalog_->find(second.id, "ada").value()->received, 10 * mib) << "what has come stays";
  Upload whole = second;
  whole.received = whole.bytes;
  whole.is_entered = true;
  EXPECT_EQ(catalog_->add(whole, terms_).error().code, errc::too_many_bytes);
}

TEST_F(UploadPartsTest, ExpireWithTheirUpload) {
  const auto part = enter_part(0, 3);
  tables_.set_now(1060);
  const auto expired = catalog_->take_expired(10).value();
  EXPECT_EQ(std::set(expired.begin(), expired.end()), (std::set{upload_.id, part}));
  EXPECT_EQ(catalog_->missing({part}).value(), std::vector{part});
}

TEST_F(UploadPartsTest, OfAnOwnerOnlySoManyMayBeUnfinished) {
  terms_.most_unfinished_of_one = 2;
  ASSERT_TRUE(catalog_->add(coming("ada"), terms_));
  EXPECT_EQ(catalog_->add(coming("ada"), terms_).error().code, errc::too_many_uploads);
  EXPECT_TRUE(catalog_->add(coming("bob"), terms_));
  EXPECT_TRUE(add("ada")) << "that one is whole";
}

TEST_F(UploadPartsTest, TellWhichAreStillComing) {
  const auto done = add("ada").value();
  EXPECT_EQ(catalog_->unfinished({upload_.id, done.id, random_id()}).value(),
            std::vector{upload_.id});
}

}  // namespace
}  // namespace server
