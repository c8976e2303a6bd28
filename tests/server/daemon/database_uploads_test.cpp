#include "server/daemon/database_uploads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "server/base/random_id.h"
#include "tests/server/objects/s3_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::run;
using test::run_until;

// What the database has. An upload is entered when the test lets it.
class FakeCatalog final : public UploadCatalog {
 public:
  Result<Upload> add(const Upload& upload, const UploadTerms&) override {
    asked.set_value();
    may_add.wait();
    rows[upload.id] = upload;
    return upload;
  }
  Result<std::optional<Upload>> find(const std::string& id, const std::string&) override {
    const auto found = rows.find(id);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::vector<Upload>> list(const std::string&) override { return std::vector<Upload>(); }
  Result<bool> remove(const std::string& id, const std::string&) override {
    return rows.erase(id) > 0;
  }
  Result<std::vector<std::string>> take_expired(int) override { return std::vector<std::string>(); }
  Result<std::vector<std::string>> missing(const std::vector<std::string>& ids) override {
    std::vector<std::string> gone;
    std::ranges::copy_if(ids, std::back_inserter(gone),
                         [this](const std::string& id) { return !rows.contains(id); });
    return gone;
  }

  std::map<std::string, Upload> rows{};
  std::promise<void> asked{};
  std::shared_future<void> may_add{};
};

class DatabaseUploadsTest : public testing::Test {
 protected:
  DatabaseUploadsTest() {
    catalog_->may_add = may_add_.get_future().share();
    open({.catalog = std::unique_ptr<UploadCatalog>(catalog_),
          .here = here_,
          .spool = spool_,
          .folder = Spool::open(folder_ / "shared").value(),
          .disk = disk_,
          .orphan_age = std::chrono::seconds(-60)});
  }
  void open(DatabaseUploads::Parts parts) { all_.emplace(std::move(parts)); }

  Upload add() {
    auto file = here_.create("ada", 5).value();
    EXPECT_TRUE(file.write(std::string_view("sound")));
    return here_.add(std::move(file), "ada", "a.wav").value();
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
        .spool = spool_,
        .bucket = &bucket,
        .disk = disk_});
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
