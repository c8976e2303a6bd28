#include "platform/cpu_sets.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <numeric>
#include <thread>

#include "platform/cpu_system.h"

namespace platform {
namespace {

using Cpus = std::vector<int>;

Cpus range(int first, int last) {
  Cpus cpus(static_cast<std::size_t>(last - first + 1));
  std::iota(cpus.begin(), cpus.end(), first);
  return cpus;
}

Cpus both(Cpus first, const Cpus& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(CpuList, IsReadAsTheKernelWritesIt) {
  const std::pair<const char*, Cpus> cases[] = {
      {"0-15,32-47\n", both(range(0, 15), range(32, 47))},
      {"0\n", {0}},
      {"1,3,5-6", {1, 3, 5, 6}},
      {"5,1-2,2", {1, 2, 5}},
      {"\n", {}},
      {"", {}},
      {"4-2", {}},
      {"x,3,-1,2-,1-y,99999,0-99999,7 ", {3, 7}},
  };
  for (const auto& [text, cpus] : cases) EXPECT_EQ(parse_cpu_list(text), cpus) << text;
}

// Two packages of four cores with two threads each: CPUs 0 to 3 and 8 to 11 are of the first, and
// the threads of a core are eight apart.
std::string two_packages() {
  std::string text;
  for (int cpu = 0; cpu < 16; ++cpu) {
    text += "processor\t: " + std::to_string(cpu) +
            "\nphysical id\t: " + std::to_string(cpu % 8 / 4) +
            "\ncore id\t\t: " + std::to_string(cpu % 4) + "\n\n";
  }
  return text;
}

TEST(CountCores, CountsEachCoreOfTheCpusOnce) {
  const std::pair<Cpus, int> cases[] = {
      {range(0, 15), 8},                     // the whole machine
      {both(range(0, 3), range(8, 11)), 4},  // one package, both threads of its cores
      {range(0, 3), 4},                      // one thread of each of its cores
      {range(0, 7), 8},                      // both packages
      {{2, 10}, 1},                          // the threads of one core
      {{3, 7}, 2},                           // cores of the same number in both packages
      {{}, 0},
  };
  for (const auto& [cpus, cores] : cases) EXPECT_EQ(count_cores(two_packages(), cpus), cores);
}

TEST(CountCores, WithoutCoresEachCpuIsOne) {
  EXPECT_EQ(count_cores("processor : 0\n\nprocessor : 1\n\nprocessor : 2\n", {0, 2}), 2);
}

TEST(CountCores, AContainersOwnNumbersGiveAnUpperLimit) {
  const std::string four = "processor : 0\n\nprocessor : 1\n\nprocessor : 2\n\nprocessor : 3\n";
  EXPECT_EQ(count_cores(four, range(32, 35)), 4);
  EXPECT_EQ(count_cores(four, {32, 33}), 2);
  EXPECT_EQ(count_cores(four, range(32, 47)), 4);
  EXPECT_EQ(count_cores("", {0}), 0);
}

TEST(UsableCpus, AreThoseOfTheAffinityMask) {
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  const auto cpus = usable_cpus();
  EXPECT_EQ(static_cast<int>(cpus.size()), CPU_COUNT(&set));
  for (const int cpu : cpus) EXPECT_TRUE(CPU_ISSET(cpu, &set)) << cpu;
}

// A thread's mask ends with it.
TEST(UsableCpus, AreAllThatTheFactsOfTheCpuCount) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(usable_cpus().back(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(system_cpu().logical_cores, 1);
    EXPECT_EQ(system_cpu().physical_cores, 1);
  }).join();
}

}  // namespace
}  // namespace platform
