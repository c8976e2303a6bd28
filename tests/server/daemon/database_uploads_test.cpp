#include <thread>

#include "tests/server/daemon/database_uploads_fixture.h"
#include "tests/server/objects/s3_server.h"

namespace server {
namespace {

using test::DatabaseUploadsTest;
using test::FakeCatalog;
using test::run;
using test::run_until;

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
