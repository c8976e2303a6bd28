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
        [this] {
          ++made;
          return kernels::KvStore(kernels::KvFormat::bfloat16, 1, 1, 16);
        },
        most_idle);
  }

  std::atomic<int> made = 0;
};

TEST_F(KvPoolTest, WhatIsGivenBackIsUsedAgain) {
  KvPool pool = pool_of(2);
  auto first = pool.take();
  auto second = pool.take();
  EXPECT_NE(first, second) << "one store has one owner";
  EXPECT_EQ(made, 2);
  const kernels::KvStore* place = second.get();
  second.reset();
  EXPECT_EQ(pool.take().get(), place);
  EXPECT_EQ(made, 2);
}

TEST_F(KvPoolTest, AStoreGoesBackWithItsLastOwner) {
  KvPool pool = pool_of(2);
  auto first = pool.take();
  const auto shared = first;
  first.reset();
  EXPECT_NE(pool.take(), shared);
  EXPECT_EQ(made, 2);
}

TEST_F(KvPoolTest, OnlySoManyAreKept) {
  KvPool pool = pool_of(1);
  { const auto first = pool.take(), second = pool.take(); }
  EXPECT_EQ(made, 2);
  const auto kept = pool.take();
  EXPECT_EQ(made, 2);
  const auto other = pool.take();
  EXPECT_EQ(made, 3);
}

TEST_F(KvPoolTest, AStoreMayOutliveItsPool) {
  std::optional<KvPool> pool = pool_of(2);
  auto store = pool->take();
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
      const auto store = pool.take();
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
