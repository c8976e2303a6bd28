#include "server/submission/found_uploads.h"

#include "server/inputs/shared_uploads.h"
#include "server/jobs/claim.h"
#include "tests/server/submission/submission_fixture.h"

namespace server {
namespace {

// Other daemons have no upload, or cannot be asked.
struct NoneElsewhere final : SharedUploads {
  asio::awaitable<Result<Upload>> publish(Upload upload) override { co_return upload; }
  asio::awaitable<Result<Upload>> begin(Upload upload) override {
    if (is_away) co_return Error{errc::database_unavailable, "away", ""};
    co_return upload;
  }
  asio::awaitable<Result<Upload>> share(Upload) override {
    if (is_away) co_return Error{errc::database_unavailable, "away", ""};
    co_return no_such_upload();
  }
  asio::awaitable<Result<Upload>> look(Upload upload) override {
    if (seen.received > 0) co_return seen;
    co_return upload.is_entered ? no_such_upload() : Result<Upload>(upload);
  }
  asio::awaitable<Result<Upload>> bring(Upload upload) override {
    upload.name = "brought";
    co_return upload;
  }
  asio::awaitable<Result<std::optional<Upload>>> find(std::string, std::string) override {
    co_return std::optional<Upload>();
  }
  asio::awaitable<Result<std::vector<Upload>>> list(std::string) override {
    co_return std::vector<Upload>();
  }
  asio::awaitable<Result<bool>> remove(std::string, std::string) override {
    if (is_away) co_return Error{errc::database_unavailable, "away", ""};
    co_return false;
  }
  asio::awaitable<Result<UnclaimedFile>> take(Upload, bool) override { co_return no_such_upload(); }

  bool is_away = false;
  Upload seen{};  // what all have of an upload that is coming; no bytes: they have none
};

class FoundUploadsTest : public test::SubmissionFixture {
 protected:
  FoundUploadsTest() { services.shared_uploads = &shared_; }

  Upload add() {
    auto file = uploads.create("ada", 5).value();
    EXPECT_TRUE(file.write(std::string_view("sound")));
    return uploads.add(std::move(file), "ada", "a.wav").value();
  }
  // The code of the error; empty: it was removed.
  std::string remove(const Upload& upload) {
    const auto removed = test::run(io, remove_upload(services, upload.id, "ada"));
    return removed ? "" : removed.error().code;
  }

  NoneElsewhere shared_{};
};

TEST_F(FoundUploadsTest, OneOfThisDaemonIsRemoved) {
  const Upload upload = add();
  EXPECT_EQ(remove(upload), "");
  EXPECT_EQ(remove(upload), no_such_upload().code);
}

// It may have been handed over a moment ago: whoever hears of success must not find it again.
TEST_F(FoundUploadsTest, AWholeOneIsNotSaidToBeRemovedWhileTheOthersCannotBeAsked) {
  shared_.is_away = true;
  EXPECT_EQ(remove(add()), errc::database_unavailable);
}

TEST_F(FoundUploadsTest, OneOfWhoseBeginningTheOthersCannotBeToldIsRemoved) {
  shared_.is_away = true;
  const Upload upload = uploads.begin("ada", "b.wav", 10).value();
  EXPECT_FALSE(test::run(io, shared_from_the_beginning(services, upload)));
  EXPECT_FALSE(uploads.find(upload.id, "ada"));
}

TEST_F(FoundUploadsTest, WhatComesBehindBytesThatAllDoNotHaveIsRefusedBeforeAnyIsBrought) {
  shared_.seen = uploads.begin("ada", "b.wav", 10).value();
  shared_.seen.received = 4;
  const auto go_on = [this](std::uint64_t offset) {
    return test::run(io, upload_to_go_on_with(services, shared_.seen.id, "ada", offset));
  };
  EXPECT_EQ(go_on(3).error().code, errc::wrong_offset);
  EXPECT_EQ(go_on(4)->name, "brought");
}

TEST_F(FoundUploadsTest, OneThatIsComingAndThatNobodyElseKnowsAnyMoreWasRemoved) {
  const Upload upload = uploads.begin("ada", "b.wav", 10).value();
  ASSERT_TRUE(uploads.set_entered(upload.id, "ada"));
  EXPECT_EQ(test::run(io, find_upload(services, upload.id, "ada")).error().code,
            no_such_upload().code);
  EXPECT_TRUE(test::run(io, list_uploads(services, "ada", {.limit = 9})).value()->uploads.empty());
}

}  // namespace
}  // namespace server
