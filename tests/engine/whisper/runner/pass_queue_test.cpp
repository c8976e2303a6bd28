#include "engine/whisper/runner/pass_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

namespace engine {
namespace {

// Enters in a thread of its own, notes its name when it has a place, and leaves at once.
std::future<void> session(PassQueue& queue, bool ends_turn, int name, std::vector<int>& order) {
  return std::async(std::launch::async, [&queue, &order, ends_turn, name] {
    const auto place = queue.enter(ends_turn, {});
    order.push_back(name);  // one at a time is in here
  });
}

void wait_until_waiting(const PassQueue& queue, std::size_t count) {
  while (queue.waiting() < count) std::this_thread::yield();
}

TEST(PassQueue, HasThoseThatEndATurnFirstAndOthersAsTheyCome) {
  PassQueue queue(1);
  std::vector<int> order;
  {
    std::optional<PassQueue::Place> place = queue.enter(false, {});
    const auto first = session(queue, false, 1, order);
    wait_until_waiting(queue, 1);
    const auto second = session(queue, false, 2, order);
    wait_until_waiting(queue, 2);
    const auto ending = session(queue, true, 3, order);
    wait_until_waiting(queue, 3);
    place.reset();
  }
  EXPECT_EQ(order, (std::vector<int>{3, 1, 2}));
}

TEST(PassQueue, HasAsManyPlacesAsItIsGiven) {
  PassQueue queue(2);
  const auto first = queue.enter(false, {});
  const auto second = queue.enter(false, {});
  std::stop_source stop;
  auto third = std::async(std::launch::async,
                          [&] { return queue.enter(true, stop.get_token()).has_value(); });
  wait_until_waiting(queue, 1);
  stop.request_stop();
  EXPECT_FALSE(third.get());
}

TEST(PassQueue, GoesOnWithoutThoseThatWereStopped) {
  PassQueue queue(1);
  std::optional<PassQueue::Place> place = queue.enter(false, {});
  std::stop_source stop;
  auto stopped = std::async(std::launch::async,
                            [&] { return queue.enter(true, stop.get_token()).has_value(); });
  wait_until_waiting(queue, 1);
  auto other = std::async(std::launch::async, [&] { return queue.enter(false, {}).has_value(); });
  wait_until_waiting(queue, 2);
  stop.request_stop();
  EXPECT_FALSE(stopped.get());
  place.reset();
  EXPECT_TRUE(other.get());
}

}  // namespace
}  // namespace engine
