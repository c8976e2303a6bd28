#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "tests/server/jobs/queue_fixture.h"

namespace server {
namespace {

class LongTextTest : public test::QueueFixture {
 protected:
  // Adds a job that has ended with a text of a megabyte.
  std::string add_long_text() {
    const std::string id = submit().value().id;
    run(queue_->claim(false)).value();
    std::vector<protocol::Segment> said(1000);
    for (auto& segment : said) segment.text = " number " + std::string(1000, 'a');
    EXPECT_TRUE(run(queue_->add_segments(held(id), said)));
    EXPECT_TRUE(run(queue_->finish(held(id), {})));
    return id;
  }
  // Begins an edit of all segments.
  void begin_edit(const std::string& id) {
    std::vector<TextEdit> edits{ReplaceText{"number", "renamed", {}}};
    asio::co_spawn(io_, queue_->edit({id, "ada", {}}, std::move(edits)),
                   asio::bind_cancellation_slot(
                       signal_.slot(), [this](std::exception_ptr failure, EditResult change) {
                         has_ended_ = true;
                         is_made_ = !failure && change;
                       }));
  }
  protocol::Transcript transcript(const std::string& id) {
    const auto job = run(queue_->find(id, "ada")).value().value();
    return run(queue_->transcript(job)).value().transcript;
  }

  asio::cancellation_signal signal_{};
  bool has_ended_ = false;
  bool is_made_ = false;
};

TEST_F(LongTextTest, OthersAreAnsweredWhileALongEditIsMade) {
  const std::string id = add_long_text();
  begin_edit(id);
  int answered = 0;
  while (!has_ended_) {
    EXPECT_FALSE(run(queue_->find("none", "eve")).value());
    ++answered;
  }
  EXPECT_TRUE(is_made_);
  EXPECT_GT(answered, 5) << "not only before and after it";
  EXPECT_EQ(transcript(id).segments[999].text.substr(0, 8), " renamed");
}

TEST_F(LongTextTest, AnEditWhoseCallerIsCancelledChangesNothing) {
  const std::string id = add_long_text();
  begin_edit(id);
  signal_.emit(asio::cancellation_type::terminal);
  const auto next = run(queue_->edit({id, "ada", {}}, {SetText{7, "seven"}}));
  ASSERT_TRUE(next) << next.error().error.message;
  EXPECT_EQ(next->version, 1) << "it came behind the first one, which has made none";
  EXPECT_TRUE(has_ended_);
  EXPECT_FALSE(is_made_);
  EXPECT_EQ(transcript(id).segments[999].text.substr(0, 8), " number ");
}

TEST_F(LongTextTest, EditsOfOneOwnerAreMadeInOrder) {
  const std::string id = add_long_text();
  begin_edit(id);
  const auto next = run(queue_->edit({id, "ada", {}}, {SetText{7, "seven"}}));
  ASSERT_TRUE(next) << next.error().error.message;
  EXPECT_EQ(next->version, 2);
  const auto now = transcript(id);
  EXPECT_EQ(now.segments[7].text, " seven");
  EXPECT_EQ(now.segments[8].text.substr(0, 8), " renamed");
}

TEST_F(LongTextTest, EditsThatComeAtOnceStoreNoMoreThanTheirOwnerMay) {
  constexpr std::uint64_t most = 8'000'000;
  std::atomic<std::uint64_t> stored = 0;  // noted on the store's thread
  const auto check_stored = [&](const std::string&, std::uint64_t) -> Result<std::uint64_t> {
    if (stored >= most) return Error{"too_many_bytes", "There is no room.", ""};
    return most - stored;
  };
  make(
      {.check_stored = check_stored, .note_stored = [&](StoredBytes now) { stored = now["ada"]; }});
  const std::string id = add_long_text();
  std::vector<TextEdit> edits;
  for (int i = 0; i < 1000; ++i) edits.push_back(SetText{i, std::string(1000, 'b')});
  int made = 0, refused = 0;
  const auto count = [&](std::exception_ptr failure, EditResult change) {
    ASSERT_FALSE(failure);
    if (change) ++made;
    if (!change && change.error().error.code == "too_many_bytes") ++refused;
  };
  constexpr int pairs = 10;
  for (int i = 0; i < pairs; ++i) {
    asio::co_spawn(io_, queue_->edit({id, "ada", {}}, edits), count);
    asio::co_spawn(io_, queue_->restore({id, "ada", {}}, 0), count);
  }
  io_.restart();
  while (made + refused < 2 * pairs && io_.run_one() > 0) continue;
  EXPECT_GT(made, 3);
  EXPECT_GT(refused, 3);
  EXPECT_LE(stored, most);
  EXPECT_GT(stored, most / 2);
}

TEST_F(LongTextTest, ALongTextIsFoundWholeAndInParts) {
  const std::string id = add_long_text();
  const auto all = run(queue_->find_text(id, "ada", [](const Job&) { return 0; })).value();
  EXPECT_EQ(all->segments.size(), 1000U);
  const auto some = run(queue_->find_text(
                            id, "ada", [](const Job&) { return 500; }, 250))
                        .value();
  ASSERT_EQ(some->segments.size(), 250U);
  const auto matches = run(queue_->matches({id, "none"}, "NUMBER", 3)).value();
  EXPECT_EQ(matches[0].size(), 3U);
  EXPECT_TRUE(matches[1].empty());
}

}  // namespace
}  // namespace server
