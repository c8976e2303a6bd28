#include "server/jobs/text_memory.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/server/jobs/queue_fixture.h"

namespace server {
namespace {

using Share = TextMemory::Share;

TEST(TextMemory, AnOwnerHasHalfOfWhatTheOthersLeave) {
  const auto memory = std::make_shared<TextMemory>(1000);
  Share ada(memory, "ada"), bob(memory, "bob");
  EXPECT_TRUE(ada.take(500));
  EXPECT_EQ(ada.take(1).error().code, errc::too_large);
  EXPECT_EQ(Share(memory, "ada").take(1).error().code, errc::too_large) << "of all texts together";
  EXPECT_TRUE(bob.take(250));
  EXPECT_EQ(bob.take(1).error().code, errc::overloaded) << "others are in the way";
  EXPECT_TRUE(Share(memory, "eve").take(125)) << "there is some for who comes later";
  EXPECT_EQ(memory->taken(), 750U);
}

TEST(TextMemory, AShareIsGivenBackAtItsEnd) {
  const auto memory = std::make_shared<TextMemory>(1000);
  {
    Share first(memory, "ada");
    EXPECT_TRUE(first.take(300));
    EXPECT_FALSE(first.take(300)) << "what was refused is not taken";
    EXPECT_TRUE(first.take(200));
  }
  EXPECT_EQ(memory->taken(), 0U);
  EXPECT_TRUE(Share(memory, "ada").take(500));
}

TEST(TextMemory, ASegmentTakesMemoryForAllThatItHas) {
  protocol::Segment segment;
  const std::size_t empty = memory_of(segment);
  segment.text = std::string(1000, 'a');
  segment.words.resize(10);
  segment.words[0].word = std::string(100, 'a');
  segment.tokens.resize(20);
  segment.token_logprobs.resize(3);
  segment.token_logprobs[0].bytes.resize(5);
  EXPECT_EQ(memory_of(segment), empty + 1000 + 10 * sizeof(protocol::Word) + 100 +
                                    20 * sizeof(int) + 3 * sizeof(protocol::TokenLogprob) +
                                    5 * sizeof(int));
}

class LongReads : public test::QueueFixture {
 protected:
  Job add_text(int segments) {
    const std::string id = submit().value().id;
    run(queue_->claim(false)).value();
    std::vector<protocol::Segment> said(static_cast<std::size_t>(segments));
    for (auto& segment : said) segment.text = " number " + std::string(1000, 'a');
    EXPECT_TRUE(run(queue_->add_segments(held(id), said)));
    EXPECT_TRUE(run(queue_->finish(held(id), {})));
    return run(queue_->find(id, "ada")).value().value();
  }
};

TEST_F(LongReads, AnOwnerHasOneLongTextAtATime) {
  const Job job = add_text(200);
  auto first = run(queue_->transcript(job));
  ASSERT_TRUE(first);
  ASSERT_NE(first->memory, nullptr);
  bool is_read = false;
  asio::co_spawn(io_, queue_->transcript(job), [&](std::exception_ptr, auto second) {
    is_read = second && second->transcript.segments.size() == 200;
  });
  EXPECT_TRUE(run(queue_->find(job.id, "ada")).value()) << "others are answered meanwhile";
  io_.restart();
  io_.poll();
  EXPECT_FALSE(is_read);
  first->memory.reset();
  io_.restart();
  while (!is_read && io_.run_one_for(std::chrono::seconds(10)) > 0) {
  }
  EXPECT_TRUE(is_read);
}

// Those of one reader do not stand in the store's line together, so others come in between.
TEST_F(LongReads, ReadersOfShortTextsTakeTurns) {
  const Job job = add_text(3);
  std::string order;
  for (const char* reader : {"ada", "ada", "ada", "bob"}) {
    asio::co_spawn(io_, queue_->transcript(job, {}, reader),
                   [&order, reader](std::exception_ptr, auto) { order += reader[0]; });
  }
  io_.restart();
  while (order.size() < 4 && io_.run_one_for(std::chrono::seconds(10)) > 0) {
  }
  EXPECT_EQ(order, "abaa");
}

TEST_F(LongReads, WhatPeopleChangeTakesTurns) {
  const Job job = add_text(3);
  std::string order;
  for (const char* owner : {"ada", "ada", "ada", "bob"}) {
    asio::co_spawn(io_, queue_->change(job.id, owner, {.title = "Talk"}),
                   [&order, owner](std::exception_ptr, auto) { order += owner[0]; });
  }
  io_.restart();
  while (order.size() < 4 && io_.run_one_for(std::chrono::seconds(10)) > 0) {
  }
  EXPECT_EQ(order, "abaa");
}

TEST_F(LongReads, AShortTextWaitsForNobody) {
  const Job job = add_text(3);
  const auto read = run(queue_->transcript(job));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->memory, nullptr);
}

}  // namespace
}  // namespace server
