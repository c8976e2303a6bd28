#include "engine/whisper/transcriber/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace engine {
namespace {

using Indices = std::vector<std::size_t>;

std::vector<Segment> one_segment(std::size_t seek) {
  Segment one;
  one.seek = static_cast<std::int64_t>(seek);
  return {one};
}

Indices counted(std::size_t count) {
  Indices all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Keeps what was handed out, and that it was handed out here.
struct Heard {
  Indices indices;

  PieceDone listener() {
    return [this, here = std::this_thread::get_id()](std::size_t index,
                                                     std::vector<Segment> segments) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ASSERT_EQ(segments.size(), 1U);
      EXPECT_EQ(segments[0].seek, static_cast<std::int64_t>(index));
      indices.push_back(index);
    };
  }
};

TEST(RunInOrder, HandsResultsOutInOrderWhateverEndsFirst) {
  Heard heard;
  std::latch later_ended(2);
  const auto work = [&](std::size_t index, const std::stop_token&) -> Result<std::vector<Segment>> {
    if (index == 0) later_ended.wait();
    if (index == 1 || index == 2) later_ended.count_down();
    return one_segment(index);
  };
  ASSERT_TRUE(run_in_order(20, 3, {}, work, heard.listener()));
  EXPECT_EQ(heard.indices, counted(20));
}

TEST(RunInOrder, RunsAsManyAtOnceAsItMay) {
  Heard heard;
  std::latch all_here(4);
  const auto work = [&](std::size_t index, const std::stop_token&) -> Result<std::vector<Segment>> {
    all_here.arrive_and_wait();
    return one_segment(index);
  };
  ASSERT_TRUE(run_in_order(4, 4, {}, work, heard.listener()));
  EXPECT_EQ(heard.indices, counted(4));
}

TEST(RunInOrder, RunsNoMoreAtOnceThanItMay) {
  Heard heard;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  const auto work = [&](std::size_t index, const std::stop_token&) -> Result<std::vector<Segment>> {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::yield();
    --running;
    return one_segment(index);
  };
  ASSERT_TRUE(run_in_order(200, 3, {}, work, heard.listener()));
  EXPECT_LE(most, 3);
}

TEST(RunInOrder, EndsAllWithTheFirstError) {
  Heard heard;
  std::atomic<bool> other_was_stopped = false;
  const auto work = [&](std::size_t index,
                        const std::stop_token& stop) -> Result<std::vector<Segment>> {
    if (index == 0) return one_segment(index);
    if (index == 2) return Error{Errc::out_of_memory, "no room", ""};
    while (!stop.stop_requested()) std::this_thread::yield();
    other_was_stopped = true;
    return Error{Errc::cancelled, "", ""};
  };
  const auto result = run_in_order(100, 2, {}, work, heard.listener());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::out_of_memory);
  EXPECT_TRUE(other_was_stopped);
  EXPECT_LE(heard.indices.size(), 1U);
}

TEST(RunInOrder, EndsOnAStopRequest) {
  Heard heard;
  std::stop_source source;
  const auto work = [&](std::size_t index,
                        const std::stop_token& stop) -> Result<std::vector<Segment>> {
    if (index < 2) return one_segment(index);
    source.request_stop();
    EXPECT_TRUE(stop.stop_requested());
    return Error{Errc::cancelled, "", ""};
  };
  const auto result = run_in_order(100, 1, source.get_token(), work, heard.listener());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::cancelled);
}

TEST(RunInOrder, ThrowsOnWhatTheWorkThrows) {
  Heard heard;
  const auto work = [](std::size_t, const std::stop_token&) -> Result<std::vector<Segment>> {
    throw std::runtime_error("odd");
  };
  EXPECT_THROW(run_in_order(2, 2, {}, work, heard.listener()), std::runtime_error);
}

TEST(RunInOrder, EndsAllWhenTheListenerThrows) {
  std::atomic<int> begun = 0;
  const auto work = [&](std::size_t index,
                        const std::stop_token& stop) -> Result<std::vector<Segment>> {
    ++begun;
    while (index > 0 && !stop.stop_requested()) std::this_thread::yield();
    return one_segment(index);
  };
  const PieceDone listener = [](std::size_t, std::vector<Segment>) {
    throw std::runtime_error("odd");
  };
  EXPECT_THROW(run_in_order(100, 2, {}, work, listener), std::runtime_error);
  EXPECT_LE(begun, 3);
}

TEST(RunInOrder, HasNothingToDoWithoutWork) {
  Heard heard;
  EXPECT_TRUE(run_in_order(0, 8, {}, {}, heard.listener()));
}

}  // namespace
}  // namespace engine
