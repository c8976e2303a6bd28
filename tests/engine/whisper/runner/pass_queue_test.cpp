#include "engine/whisper/runner/pass_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace engine {
namespace {

constexpr std::uint64_t ada = 0xada;
constexpr std::uint64_t bob = 0xb0b;
constexpr std::uint64_t eve = 0xe5e;

// Enters in a thread of its own, notes its name when it has a place, and leaves at once.
std::future<void> session(PassQueue& queue, bool ends_turn, int name, std::vector<int>& order,
                          std::uint64_t owner = ada) {
  return std::async(std::launch::async, [&queue, &order, ends_turn, name, owner] {
    const auto place = queue.enter(owner, ends_turn, {});
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
    std::optional<PassQueue::Place> place = queue.enter(ada, false, {});
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

// Lets sessions come while the only place is bob's, and returns their names as they have passes.
// Each is an owner, and whether its pass ends a turn.
std::vector<int> order_of(const std::vector<std::pair<std::uint64_t, bool>>& sessions) {
  PassQueue queue(1);
  std::vector<int> order;
  std::vector<std::future<void>> threads;
  std::optional<PassQueue::Place> place = queue.enter(bob, false, {});
  for (const auto& [owner, ends_turn] : sessions) {
    threads.push_back(session(queue, ends_turn, static_cast<int>(threads.size()), order, owner));
    wait_until_waiting(queue, threads.size());
  }
  place.reset();
  for (auto& thread : threads) thread.get();
  return order;
}

TEST(PassQueue, OwnersTakeTurnsWhateverNumberOfSessionsTheyHave) {
  EXPECT_EQ(order_of({{bob, false}, {bob, false}, {bob, false}, {eve, false}, {eve, false}}),
            (std::vector{3, 0, 4, 1, 2}));
  EXPECT_EQ(order_of({{bob, false}, {eve, false}, {eve, false}, {ada, false}}),
            (std::vector{1, 3, 0, 2}));
}

TEST(PassQueue, APassThatEndsATurnGoesBeforeOthersButNotTwiceInARowForOneOwner) {
  EXPECT_EQ(order_of({{bob, true}, {bob, true}, {bob, true}, {eve, false}}),
            (std::vector{3, 0, 1, 2}));
  EXPECT_EQ(order_of({{eve, false}, {ada, false}, {ada, true}, {ada, true}}),
            (std::vector{2, 0, 3, 1}));
}

TEST(PassQueue, HasAsManyPlacesAsItIsGiven) {
  PassQueue queue(2);
  const auto first = queue.enter(ada, false, {});
  const auto second = queue.enter(ada, false, {});
  std::stop_source stop;
  auto third = std::async(std::launch::async,
                          [&] { return queue.enter(ada, true, stop.get_token()).has_value(); });
  wait_until_waiting(queue, 1);
  stop.request_stop();
  EXPECT_FALSE(third.get());
}

TEST(PassQueue, GoesOnWithoutThoseThatWereStopped) {
  PassQueue queue(1);
  std::optional<PassQueue::Place> place = queue.enter(ada, false, {});
  std::stop_source stop;
  auto stopped = std::async(std::launch::async,
                            [&] { return queue.enter(ada, true, stop.get_token()).has_value(); });
  wait_until_waiting(queue, 1);
  auto other =
      std::async(std::launch::async, [&] { return queue.enter(ada, false, {}).has_value(); });
  wait_until_waiting(queue, 2);
  stop.request_stop();
  EXPECT_FALSE(stopped.get());
  place.reset();
  EXPECT_TRUE(other.get());
}

}  // namespace
}  // namespace engine
