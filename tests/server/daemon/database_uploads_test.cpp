#include "server/daemon/database_uploads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "server/base/random_id.h"
#include "tests/server/objects/s3_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::run;
using test::run_until;

// What the database has. A whole upload is entered when the test lets it.
class FakeCatalog final : public UploadCatalog {
 public:
  Result<EnteredUpload> add(const Upload& upload, const UploadTerms&) override {
    if (upload.is_whole()) {
      if (!has_asked.exchange(true)) asked.set_value();
      may_add.wait();
    }
    if (upload.is_entered && !rows.contains(upload.id)) return no_such_upload();
    rows[upload.id] = upload;
    EnteredUpload entered{upload};
    for (const auto& part : std::exchange(entered_parts, {}))
      entered.unused_parts.push_back(part.id);
    return entered;
  }
  Result<std::uint64_t> add_part(const std::string& id, const std::string&,
                                 const UploadPart& part) override {
    if (!rows.contains(id)) return no_such_upload();
    Upload& row = rows[id];
    if (row.received != part.from) return wrong_offset(row.received);
    row.received += part.bytes;
    entered_parts.push_back(part);
    return row.received;
  }
  Result<std::vector<UploadPart>> parts(const std::string&) override { return entered_parts; }
  Result<std::optional<Upload>> find(const std::string& id, const std::string&) override {
    const auto found = rows.find(id);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::vector<Upload>> list(const std::string&) override { return std::vector<Upload>(); }
  Result<std::vector<std::string>> remove(const std::string& id, const std::string&) override {
    if (rows.erase(id) == 0) return std::vector<std::string>();
    std::vector<std::string> ids{id};
    for (const auto& part : std::exchange(entered_parts, {})) ids.push_back(part.id);
    return ids;
  }
  Result<std::vector<std::string>> take_expired(int) override { return std::vector<std::string>(); }
  Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) override {
    std::vector<std::string> gone;
    std::ranges::copy_if(ids, std::back_inserter(gone), [this](const std::string& id) {
      return !rows.contains(id) &&
             std::ranges::find(entered_parts, id, &UploadPart::id) == entered_parts.end();
    });
    return gone;
  }

  Result<std::vector<std::string>> unfinished(const std::vector<std::string>& ids) override {
    std::vector<std::string> coming;
    on_unfinished();
    std::ranges::copy_if(ids, std::back_inserter(coming), [this](const std::string& id) {
      return rows.contains(id) && !rows[id].is_whole();
    });
    return coming;
  }

  std::map<std::string, Upload> rows{};
  std::vector<UploadPart> entered_parts{};      // of the one upload that comes in parts
  std::function<void()> on_unfinished = [] {};  // called before unfinished() answers
  std::atomic<bool> has_asked = false;
  std::promise<void> asked{};
  std::shared_future<void> may_add{};
};

class DatabaseUploadsTest : public testing::Test {
 protected:
  DatabaseUploadsTest() {
    catalog_->may_add = may_add_.get_future().share();
    open(parts());
  }
  DatabaseUploads::Parts parts() {
    return {.catalog = std::unique_ptr<UploadCatalog>(catalog_),
            .here = here_,
            .room = spool_.room(),
            .place = {.spool = spool_,
                      .folder = Spool::open(folder_ / "shared").value(),
                      .disk = disk_,
                      .orphan_age = std::chrono::seconds(-60)}};
  }
  void open(DatabaseUploads::Parts parts) { all_.emplace(std::move(parts)); }

  Upload add() {
    auto file = here_.create("ada", 5).value();
    EXPECT_TRUE(file.write(std::string_view("sound")));
    return here_.add(std::move(file), "ada", "a.wav").value();
  }
  asio::awaitable<int> tidied_up() {
    auto tidying = all_->tidy_up();
    co_await std::move(tidying);
    co_return 0;
  }
  std::vector<std::string> shared_files() const { return Spool::open(folder_ / "shared")->names(); }

  const test::TemporaryFolder folder_{};
  asio::io_context io_{};
  Uploads here_ = Uploads::open({.folder = folder_ / "uploads"}).value();
  Spool spool_ = Spool::open(folder_ / "spool").value();
  std::promise<void> may_add_{};
  FakeCatalog* catalog_ = new FakeCatalog;  // owned by what is open
  std::optional<DatabaseUploads> all_{};
  BlockingCalls disk_{1, 16};
};

TEST_F(DatabaseUploadsTest, AWholeUploadIsHandedOver) {
  may_add_.set_value();
  const Upload upload = add();
  ASSERT_TRUE(run(io_, all_->publish(upload)));
  EXPECT_FALSE(here_.find(upload.id, "ada"));
  EXPECT_EQ(shared_files(), std::vector{upload.id});
  EXPECT_TRUE(run(io_, all_->find(upload.id, "ada")).value());
  EXPECT_TRUE(run(io_, all_->remove(upload.id, "ada")).value());
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(DatabaseUploadsTest, OneThatIsRemovedWhileItIsHandedOverDoesNotComeBack) {
  const Upload upload = add();
  const test::Started<Result<Upload>> publishing(io_, all_->publish(upload));
  auto asked = catalog_->asked.get_future();
  run_until(io_,
            [&] { return asked.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  EXPECT_TRUE(here_.remove(upload.id, "ada"));
  may_add_.set_value();
  run_until(io_, [&] { return publishing.ended(); });
  ASSERT_FALSE(publishing.value());
  EXPECT_EQ(publishing.value().error().code, no_such_upload().code);
  EXPECT_TRUE(catalog_->rows.empty());
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(DatabaseUploadsTest, WhoComesWhileOneIsHandedOverForLongIsToldSo) {
  const auto may_add = catalog_->may_add;
  catalog_ = new FakeCatalog;
  catalog_->may_add = may_add;
  auto impatient = parts();
  impatient.longest_wait = std::chrono::milliseconds(50);
  open(std::move(impatient));
  const Upload upload = add();
  const test::Started<Result<Upload>> publishing(io_, all_->publish(upload));
  auto asked = catalog_->asked.get_future();
  run_until(io_,
            [&] { return asked.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  EXPECT_EQ(run(io_, all_->bring(upload)).error().code, errc::upload_busy);
  EXPECT_EQ(run(io_, all_->publish(upload)).error().code, errc::upload_busy);
  may_add_.set_value();
  run_until(io_, [&] { return publishing.ended(); });
  EXPECT_TRUE(publishing.value());
}

// An upload of ten bytes in parts, of which five are here.
class PartsOfUploadsTest : public DatabaseUploadsTest {
 protected:
  PartsOfUploadsTest() {
    EXPECT_TRUE(run(io_, all_->begin(upload_)));
    receive(0, "sound");
  }

  void receive(std::uint64_t from, std::string_view bytes) {
    ASSERT_TRUE(here_.append(upload_.id, "ada", from, bytes));
  }
  // What others have entered: it lies in the folder.
  void enter(std::uint64_t from, const std::string& bytes) {
    const UploadPart part{random_id(), from, bytes.size()};
    test::write_text(folder_ / "shared" / part.id, bytes);
    ASSERT_TRUE(catalog_->add_part(upload_.id, "ada", part));
  }
  std::string bytes_here() const { return test::read_text(here_.path(upload_)); }

  const Upload upload_ = here_.begin("ada", "a.wav", 10).value();
};

TEST_F(PartsOfUploadsTest, WhatIsHereIsHandedOverOnce) {
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 5U);
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 5U);
  ASSERT_EQ(catalog_->entered_parts.size(), 1U);
  EXPECT_EQ(shared_files(), std::vector{catalog_->entered_parts[0].id});
  receive(5, "ing");
  EXPECT_EQ(run(io_, all_->share(upload_)).value().received, 8U);
  ASSERT_EQ(catalog_->entered_parts.size(), 2U);
  EXPECT_EQ(test::read_text(folder_ / "shared" / catalog_->entered_parts[1].id), "ing");
}

TEST_F(PartsOfUploadsTest, WhatOthersHaveReceivedIsBroughtHere) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  enter(7, "g");
  const auto brought = run(io_, all_->bring(catalog_->rows[upload_.id]));
  ASSERT_TRUE(brought);
  EXPECT_EQ(brought->received, 8U);
  EXPECT_EQ(bytes_here(), "sounding");
}

TEST_F(PartsOfUploadsTest, OneThatNeverWasHereIsBroughtAsAWhole) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  ASSERT_TRUE(here_.remove(upload_.id, "ada"));
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "sound");
  EXPECT_EQ(here_.find(upload_.id, "ada")->bytes, 10U);
}

TEST_F(PartsOfUploadsTest, APartWhoseBytesAreGoneIsNoEndlessWait) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  test::write_text(folder_ / "shared" / catalog_->entered_parts[1].id, "");
  EXPECT_EQ(run(io_, all_->bring(catalog_->rows[upload_.id])).error().code, errc::upload_not_found);
}

// Two clients may send other bytes by one name: those of the second are forgotten.
TEST_F(PartsOfUploadsTest, WhatCameHereMeanwhileIsForgottenWhereOthersWentOn) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  enter(5, "in");
  receive(5, "ly.");
  EXPECT_EQ(run(io_, all_->share(upload_)).error().code, errc::wrong_offset);
  EXPECT_EQ(bytes_here(), "sound");
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "soundin");
}

TEST_F(PartsOfUploadsTest, LittleThatIsLeftHereIsNoPartForWhoLooks) {
  EXPECT_EQ(run(io_, all_->look(*here_.find(upload_.id, "ada"))).value().received, 0U);
  EXPECT_TRUE(catalog_->entered_parts.empty());
  ASSERT_TRUE(run(io_, all_->bring(catalog_->rows[upload_.id])));
  EXPECT_EQ(bytes_here(), "");
}

TEST_F(PartsOfUploadsTest, OneThatBecomesWholeElsewhereWhileItIsBroughtIsAWrongOffset) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  const Upload seen = catalog_->rows[upload_.id];
  ASSERT_TRUE(here_.remove(upload_.id, "ada"));
  catalog_->rows[upload_.id].received = 10;
  catalog_->entered_parts.clear();
  EXPECT_EQ(run(io_, all_->bring(seen)).error().code, errc::wrong_offset);
}

// It was begun before its daemon had a database.
TEST_F(DatabaseUploadsTest, OneThatWasNeverEnteredIsEnteredWhenSomebodyLooks) {
  const Upload upload = here_.begin("ada", "a.wav", 10).value();
  ASSERT_TRUE(here_.append(upload.id, "ada", 0, std::string_view("sound")));
  EXPECT_EQ(run(io_, all_->look(*here_.find(upload.id, "ada"))).value().received, 5U);
  EXPECT_EQ(catalog_->rows[upload.id].received, 5U);
}

TEST_F(DatabaseUploadsTest, AWholeOneThatCameInPartsAndWasNeverEnteredIsHandedOver) {
  const Upload upload = here_.begin("ada", "a.wav", 5).value();
  ASSERT_TRUE(here_.append(upload.id, "ada", 0, std::string_view("sound")));
  may_add_.set_value();
  run(io_, tidied_up());
  EXPECT_EQ(shared_files(), std::vector{upload.id});
  EXPECT_TRUE(catalog_->rows.contains(upload.id));
}

// The last bytes may come while it is asked what is still coming.
TEST_F(PartsOfUploadsTest, OneThatBecomesWholeHereMeanwhileIsNotTidiedUp) {
  catalog_->rows[upload_.id].received = 10;  // another daemon was the first
  catalog_->on_unfinished = [this] {
    boost::asio::post(io_, [this] { receive(5, "ings."); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  run(io_, tidied_up());
  EXPECT_TRUE(here_.find(upload_.id, "ada"));
}

TEST_F(PartsOfUploadsTest, TheWholeRemovesItsParts) {
  ASSERT_TRUE(run(io_, all_->share(upload_)));
  receive(5, "ings.");
  may_add_.set_value();
  ASSERT_TRUE(run(io_, all_->publish(*here_.find(upload_.id, "ada"))));
  EXPECT_EQ(shared_files(), std::vector{upload_.id});
  EXPECT_EQ(test::read_text(folder_ / "shared" / upload_.id), "soundings.");
}

TEST_F(PartsOfUploadsTest, OneThatWasRemovedElsewhereIsGoneHereToo) {
  ASSERT_TRUE(run(io_, all_->remove(upload_.id, "ada")));
  EXPECT_EQ(run(io_, all_->share(upload_)).error().code, errc::upload_not_found);
  EXPECT_FALSE(here_.find(upload_.id, "ada"));
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(PartsOfUploadsTest, OneThatWasRemovedElsewhereDoesNotComeBackByItsEnd) {
  receive(5, "ings.");
  ASSERT_TRUE(run(io_, all_->remove(upload_.id, "ada")));
  may_add_.set_value();
  EXPECT_EQ(run(io_, all_->publish(*here_.find(upload_.id, "ada"))).error().code,
            errc::upload_not_found);
  EXPECT_FALSE(here_.find(upload_.id, "ada"));
  EXPECT_TRUE(shared_files().empty());
}

TEST_F(PartsOfUploadsTest, WhatOthersHaveFinishedIsTidiedUp) {
  const auto other = here_.begin("ada", "b.wav", 3).value();
  ASSERT_TRUE(run(io_, all_->begin(other)));
  catalog_->rows[other.id].received = 3;
  run(io_, tidied_up());
  EXPECT_FALSE(here_.find(other.id, "ada"));
  EXPECT_TRUE(here_.find(upload_.id, "ada")) << "it is still coming";
}

TEST_F(DatabaseUploadsTest, AnUnfinishedOneIsNotTaken) {
  const Upload upload = here_.begin("ada", "a.wav", 10).value();
  const auto taken = run(io_, all_->take(upload, false));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, errc::upload_unfinished);
}

TEST_F(DatabaseUploadsTest, BytesInTheFolderWithoutARowAreSweptUp) {
  may_add_.set_value();
  const Upload kept = add();
  ASSERT_TRUE(run(io_, all_->publish(kept)));
  test::write_text(folder_ / "shared" / random_id(), "left");
  EXPECT_EQ(run(io_, all_->sweep({})), 1);
  EXPECT_EQ(shared_files(), std::vector{kept.id});
}

TEST_F(DatabaseUploadsTest, BytesInTheBucketWithoutARowAreSweptUp) {
  auto& s3 = test::S3Server::instance();
  if (!s3.why_not().empty()) GTEST_SKIP() << s3.why_not();
  s3.clear();
  may_add_.set_value();
  BucketInputs bucket({.s3 = s3.settings("jobs/"), .folder = spool_.folder()});
  catalog_ = new FakeCatalog;
  catalog_->may_add = std::async(std::launch::deferred, [] {}).share();
  open({.catalog = std::unique_ptr<UploadCatalog>(catalog_),
        .here = here_,
        .room = spool_.room(),
        .place = {.spool = spool_, .bucket = &bucket, .disk = disk_}});
  const Upload kept = add();
  ASSERT_TRUE(run(io_, all_->publish(kept)));
  const std::string orphan = "uploads/" + random_id();
  const auto put = [&]() -> asio::awaitable<bool> {
    const auto done = co_await bucket.put(orphan, folder_ / "left");
    co_return done.has_value();
  };
  test::write_text(folder_ / "left", "left");
  ASSERT_TRUE(run(io_, put()));
  EXPECT_EQ(run(io_, all_->sweep({"uploads/" + kept.id, orphan, "sounds/" + random_id()})), 1);
  for (int i = 0; i < 500 && s3.names().size() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(s3.names(), std::vector{"jobs/uploads/" + kept.id});
  s3.clear();
  all_.reset();
}

}  // namespace
}  // namespace server
