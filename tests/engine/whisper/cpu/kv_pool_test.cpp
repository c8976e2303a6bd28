#include "engine/whisper/cpu/kv_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace engine::cpu {
namespace {

class KvPoolTest : public testing::Test {
 protected:
  KvPool pool_of(std::size_t most_idle) {
    return KvPool(
        [this](int capacity) {
          ++made;
          return kernels::KvStore(kernels::KvFormat::bfloat16, 1, 1, capacity);
        },
        most_idle);
  }

  std::atomic<int> made = 0;
};

TEST_F(KvPoolTest, WhatIsGivenBackIsUsedAgain) {
  KvPool pool = pool_of(2);
  auto first = pool.take(16);
  auto second = pool.take(16);
  EXPECT_NE(first, second) << "one store has one owner";
  EXPECT_EQ(made, 2);
  const kernels::KvStore* place = second.get();
  second.reset();
  EXPECT_EQ(pool.take(16).get(), place);
  EXPECT_EQ(made, 2);
}

TEST_F(KvPoolTest, AStoreGoesBackWithItsLastOwner) {
  KvPool pool = pool_of(2);
  auto first = pool.take(16);
  const auto shared = first;
  first.reset();
  EXPECT_NE(pool.take(16), shared);
  EXPECT_EQ(made, 2);
}

TEST_F(KvPoolTest, OnlySoManyAreKept) {
  KvPool pool = pool_of(1);
  { const auto first = pool.take(16), second = pool.take(16); }
  EXPECT_EQ(made, 2);
  const auto kept = pool.take(16);
  EXPECT_EQ(made, 2);
  const auto other = pool.take(16);
  EXPECT_EQ(made, 3);
}

TEST_F(KvPoolTest, TheSmallestWithTheCapacityIsUsed) {
  KvPool pool = pool_of(3);
  { const auto large = pool.take(64), small = pool.take(16), middle = pool.take(32); }
  const auto found = pool.take(17);
  EXPECT_EQ(found->capacity(), 32);
  const auto next = pool.take(17);
  EXPECT_EQ(next->capacity(), 64);
  EXPECT_EQ(made, 3);
  const auto other = pool.take(17);
  EXPECT_EQ(other->capacity(), 17);
  EXPECT_EQ(made, 4) << "16 are too few";
}

TEST_F(KvPoolTest, TheLargestAreKept) {
  KvPool pool = pool_of(2);
  { const auto first = pool.take(32), second = pool.take(16), third = pool.take(64); }
  const auto kept = pool.take(16), other = pool.take(16);
  EXPECT_EQ(kept->capacity(), 32);
  EXPECT_EQ(other->capacity(), 64);
  EXPECT_EQ(made, 3);
}

TEST_F(KvPoolTest, AStoreMayOutliveItsPool) {
  std::optional<KvPool> pool = pool_of(2);
  auto store = pool->take(16);
  pool.reset();
  EXPECT_EQ(store->capacity(), 16);
  store.reset();
}

TEST_F(KvPoolTest, ThreadsTakeAndGiveBackAtOnce) {
  KvPool pool = pool_of(4);
  std::atomic<int> owned_twice = 0;
  std::mutex mutex;
  std::set<const kernels::KvStore*> in_use;
  const auto work = [&] {
    for (int i = 0; i < 500; ++i) {
      const auto store = pool.take(16);
      {
        const std::lock_guard lock(mutex);
        if (!in_use.insert(store.get()).second) ++owned_twice;
      }
      const std::lock_guard lock(mutex);
      in_use.erase(store.get());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(owned_twice, 0);
  EXPECT_LE(made, 4) << "never more than there are owners";
}

}  // namespace
}  // namespace engine::cpu
