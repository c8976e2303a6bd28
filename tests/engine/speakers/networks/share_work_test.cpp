#include "engine/speakers/networks/share_work.h"

#include <gtest/gtest.h>

#include <barrier>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace engine {
namespace {

TEST(ShareWork, DoesEachItemOnce) {
  for (const int threads : {0, 1, 2, 3, 8}) {
    for (const std::size_t items :
         {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{8}}) {
      std::vector<int> done(items);
      share_work(items, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++done[i];
      });
      EXPECT_EQ(done, std::vector<int>(items, 1)) << threads << " threads";
    }
  }
}

// Each part waits until the other has come, so they are done beside each other.
TEST(ShareWork, IsDoneBesideEachOther) {
  std::barrier both(2);
  std::vector<std::thread::id> threads(8);
  share_work(8, 2, [&](std::size_t begin, std::size_t end) {
    both.arrive_and_wait();
    for (std::size_t i = begin; i < end; ++i) threads[i] = std::this_thread::get_id();
  });
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), 2U);
  EXPECT_EQ(threads[0], std::this_thread::get_id());
}

TEST(ShareWork, ThrowsWhatAPartHasThrown) {
  const auto fail_in = [](std::size_t item) {
    share_work(4, 2, [item](std::size_t begin, std::size_t end) {
      if (begin <= item && item < end) throw std::runtime_error("no");
    });
  };
  EXPECT_THROW(fail_in(0), std::runtime_error);
  EXPECT_THROW(fail_in(3), std::runtime_error);
  EXPECT_NO_THROW(fail_in(4));
}

}  // namespace
}  // namespace engine
