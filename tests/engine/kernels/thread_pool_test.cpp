#include "engine/kernels/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace engine::kernels {
namespace {

TEST(ThreadPool, EveryThreadRunsTheWorkOnce) {
  ThreadPool pool(3);
  for (int round = 0; round < 1000; ++round) {
    std::array<int, 3> runs{};
    pool.run([&](int index) { ++runs[static_cast<std::size_t>(index)]; });
    ASSERT_EQ(runs, (std::array{1, 1, 1}));
  }
}

TEST(ThreadPool, NobodyPassesABarrierBeforeAllHaveCome) {
  ThreadPool pool(3);
  std::atomic<int> arrived = 0;
  std::atomic<bool> early = false;
  pool.run([&](int) {
    for (int round = 1; round <= 2000; ++round) {
      ++arrived;
      pool.barrier();
      if (arrived < 3 * round) early = true;
      pool.barrier();
    }
  });
  EXPECT_FALSE(early);
}

TEST(ThreadPool, WakesAfterItHasSlept) {
  ThreadPool pool(2);
  for (int i = 0; i < 3; ++i) {
    std::atomic<int> runs = 0;
    pool.run([&](int) { ++runs; });
    EXPECT_EQ(runs, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(ThreadPool, WhatOneThreadThrowsReachesTheCallerAndThePoolGoesOn) {
  ThreadPool pool(3);
  for (int round = 0; round < 300; ++round) {
    const int thrower = round % 3;
    std::atomic<int> finished = 0;
    const auto work = [&](int index) {
      pool.barrier();
      if (index == thrower) throw std::runtime_error("no memory");
      pool.barrier();
      ++finished;
    };
    EXPECT_THROW(pool.run(work), std::runtime_error);
    EXPECT_EQ(finished, 0);
    std::atomic<int> runs = 0;
    pool.run([&](int) {
      pool.barrier();
      ++runs;
      pool.barrier();
    });
    ASSERT_EQ(runs, 3);
  }
}

TEST(ThreadPool, ThreadsThatWaitForNobodyFinishBesideOneThatThrows) {
  ThreadPool pool(4);
  for (int thrower = 0; thrower < 4; ++thrower) {
    std::atomic<int> finished = 0;
    EXPECT_THROW(pool.run([&](int index) {
      if (index == thrower) throw std::bad_alloc();
      ++finished;
    }),
                 std::bad_alloc);
    EXPECT_EQ(finished, 3);
  }
}

TEST(ThreadPool, OfSeveralThrowsOneArrives) {
  ThreadPool pool(4);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(pool.run([](int index) { throw index; }), int);
  }
}

TEST(ThreadPool, TeamsAreNeighboursAndEveryThreadIsInOne) {
  for (const auto& [size, count] :
       {std::pair{4, 2}, std::pair{5, 2}, std::pair{7, 3}, std::pair{3, 3}}) {
    ThreadPool pool(size);
    std::vector<int> team_of(static_cast<std::size_t>(size), -1);
    std::vector<int> members(static_cast<std::size_t>(count));
    pool.run_in_teams(count, [&](const TeamThread& me) {
      team_of.at(static_cast<std::size_t>(me.index_in_pool())) = me.team.number();
      if (me.index == 0) members.at(static_cast<std::size_t>(me.team.number())) = me.team.size();
    });
    EXPECT_TRUE(std::ranges::is_sorted(team_of));
    EXPECT_EQ(team_of.front(), 0);
    EXPECT_LE(std::ranges::max(members) - std::ranges::min(members), 1);
    for (int team = 0; team < count; ++team) {
      EXPECT_EQ(std::ranges::count(team_of, team), members[static_cast<std::size_t>(team)]);
    }
  }
}

TEST(ThreadPool, MoreTeamsThanThreadsAreAsManyAsThereAreThreads) {
  ThreadPool pool(2);
  std::atomic<int> runs = 0;
  pool.run_in_teams(3, [&](const TeamThread& me) {
    EXPECT_EQ(me.team.size(), 1);
    ++runs;
  });
  EXPECT_EQ(runs, 2);
}

// The second team comes to its barriers when the first one has passed all of its own.
TEST(ThreadPool, ATeamWaitsForItsOwnThreadsAlone) {
  ThreadPool pool(5);
  std::atomic<int> first_team_done = 0, arrived = 0;
  std::atomic<bool> early = false;
  pool.run_in_teams(2, [&](const TeamThread& me) {
    if (me.team.number() == 1) {
      while (first_team_done < 2) std::this_thread::yield();
      me.team.barrier();
      return;
    }
    for (int round = 1; round <= 200; ++round) {
      ++arrived;
      me.team.barrier();
      if (arrived < 2 * round) early = true;
      me.team.barrier();
    }
    ++first_team_done;
  });
  EXPECT_FALSE(early);
}

TEST(ThreadPool, WhatOneTeamThrowsEndsTheOthersAtTheirNextBarrier) {
  ThreadPool pool(5);
  for (int round = 0; round < 300; ++round) {
    const int thrower = round % 5;
    const auto work = [&](const TeamThread& me) {
      if (me.index_in_pool() == thrower) throw std::runtime_error("no memory");
      for (;;) me.team.barrier();
    };
    EXPECT_THROW(pool.run_in_teams(2, work), std::runtime_error);
    std::atomic<int> come = 0;
    std::atomic<bool> early = false;
    pool.run([&](int) {
      ++come;
      pool.barrier();
      early = early || come < 5;
    });
    pool.run_in_teams(3, [&](const TeamThread& me) { me.team.barrier(); });
    ASSERT_FALSE(early) << "the threads wait for each other after a failure, too";
  }
}

// Runs in a child with an address space for a few stacks: it ends with 0 where a smaller pool
// works, and by the alarm where nothing goes on.
TEST(ThreadPoolDeathTest, GoesOnWithTheThreadsThatTheSystemGives) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need the whole address space";
#endif
  constexpr int no_limit = 77;
  const auto work_in_little_memory = [] {
    ::alarm(60);
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE)) + (64U << 20);
    const rlimit limit{room, room};
    ::setrlimit(RLIMIT_AS, &limit);
    void* beyond = ::mmap(nullptr, 2 * room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (beyond != MAP_FAILED) ::_exit(no_limit);
    ThreadPool pool(200);
    std::atomic<int> runs = 0;
    pool.run([&](int) {
      pool.barrier();
      ++runs;
    });
    ::_exit(pool.size() > 1 && pool.size() < 200 && runs == pool.size() ? 0 : 1);
  };
  bool limited = true;
  const auto worked = [&](int status) {
    limited = !testing::ExitedWithCode(no_limit)(status);
    return !limited || testing::ExitedWithCode(0)(status);
  };
  EXPECT_EXIT(work_in_little_memory(), worked, "");
  if (!limited) GTEST_SKIP() << "an emulator sets no limit to memory";
}

TEST(Share, CoversEverythingOnceInWholePieces) {
  for (const int count : {0, 1, 47, 48, 1500}) {
    int next = 0;
    for (int index = 0; index < 4; ++index) {
      const Span span = share(count, index, 4, 48);
      EXPECT_EQ(span.begin, next);
      EXPECT_TRUE(span.begin % 48 == 0 || span.begin == count);
      next = span.end;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace engine::kernels
