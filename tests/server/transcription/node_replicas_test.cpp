#include <gtest/gtest.h>
#include <sched.h>

#include <set>
#include <string>
#include <vector>

#include "platform/cpu_sets.h"
#include "platform/cpu_system.h"
#include "server/transcription/model_replicas.h"
#include "tests/server/transcription/pool_fixture.h"

// Pools on played NUMA nodes of one CPU each. Where this process has one CPU only, both have that.
namespace server {
namespace {

class NodeReplicasTest : public test::PoolTest {
 protected:
  NodeReplicasTest() {
    const auto cpus = platform::usable_cpus();
    nodes_ = {{cpus.front()}, {cpus.back()}};
  }

  std::vector<std::string> loaded_on() {
    const auto loaded = pool().loaded();
    std::vector<std::string> names;
    for (const auto& device : loaded.at(0).devices) {
      if (!device.is_loading) names.push_back(device.device);
    }
    return names;
  }

  // Begins a job on each node.
  std::vector<Call*> begin_on_both() {
    auto& first = begin("base");
    auto& asks_for_another = talk("base", 6);
    test::run_until(io_, [&] { return loaded_on() == both; });
    EXPECT_EQ(error_of(asks_for_another), "");
    auto& second = begin("base");
    EXPECT_EQ(first.transcript.device, "cpu:0");
    EXPECT_EQ(second.transcript.device, "cpu:1");
    return {&first, &second};
  }

  void finish(Call& call) {
    call.sound.reset();
    EXPECT_EQ(error_of(call), "");
  }

  // Returns the CPUs on which the workers may run, each worker's as a set.
  std::set<std::vector<int>> cpus_of_workers() {
    std::set<std::vector<int>> found;
    for (const pid_t worker : workers()) {
      cpu_set_t set;
      EXPECT_EQ(::sched_getaffinity(worker, sizeof set, &set), 0);
      std::vector<int> cpus;
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
      }
      found.insert(cpus);
    }
    return found;
  }

  const std::vector<std::string> both{"cpu:0", "cpu:1"};
};

TEST_F(NodeReplicasTest, OneJobAtATimeNeedsOneNode) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(loaded_on(), std::vector<std::string>{"cpu:0"});
  EXPECT_EQ(cpus_of_workers(), std::set{nodes_[0]});
}

TEST_F(NodeReplicasTest, JobsAtTheSameTimeRunOnCpusOfTheirOwn) {
  const auto calls = begin_on_both();
  EXPECT_EQ(workers().size(), 2u);
  EXPECT_EQ(cpus_of_workers(), (std::set{nodes_[0], nodes_[1]}));
  for (Call* call : calls) finish(*call);
}

TEST_F(NodeReplicasTest, ADeadWorkersNodeIsUsedAgainAtOnce) {
  const auto calls = begin_on_both();
  finish(*calls[1]);
  EXPECT_EQ(error_of(talk("base", 6, "fake:die")), "worker_died");
  EXPECT_EQ(loaded_on(), std::vector<std::string>{"cpu:0"});
  EXPECT_TRUE(pool().loaded()[0].passed_over.empty());
  EXPECT_FALSE(pool().trouble());
  EXPECT_EQ(error_of(talk("base", 6)), "");
  test::run_until(io_, [&] { return loaded_on() == both; });
  finish(*calls[0]);
}

TEST_F(NodeReplicasTest, NodesAreLeftAloneWhereWorkersDieAgainAndAgain) {
  settings_.crash.deaths = 1;
  settings_.crash.first_pause = std::chrono::minutes(1);
  const auto calls = begin_on_both();
  finish(*calls[1]);
  EXPECT_EQ(error_of(talk("base", 6, "fake:die")), "worker_died");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(workers().size(), 1u);
  finish(*calls[0]);
}

TEST_F(NodeReplicasTest, ANodeThatCannotBeLoadedOnIsLeftAloneForAWhile) {
  auto& first = begin("base");
  behave("die_in_load");
  EXPECT_EQ(error_of(talk("base", 6)), "");
  test::run_until(io_, [&] { return pool().loaded().at(0).devices.size() == 1; });
  behave("");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(loaded_on(), std::vector<std::string>{"cpu:0"});
  EXPECT_EQ(workers().size(), 1u);
  finish(first);
}

TEST_F(NodeReplicasTest, JobsOnEachNodeSayWhichCardIsNotUsed) {
  passed_over_ = PassedOver{"a card", {.wanted = "auto", .finding = {.code = "CUDA_PACK_MISSING"}}};
  const auto calls = begin_on_both();
  for (Call* call : calls) {
    EXPECT_TRUE(call->transcript.fallback);
    finish(*call);
  }
  EXPECT_EQ(pool().loaded()[0].passed_over.size(), 1u);
}

TEST_F(NodeReplicasTest, ModelsBesideEachOtherBeginOnDifferentNodes) {
  settings_.max_loaded = 2;
  EXPECT_EQ(error_of(talk("base", 6)), "");
  auto& other = talk("small", 6);
  EXPECT_EQ(error_of(other), "");
  EXPECT_EQ(other.transcript.device, "cpu:1");
  auto& first_again = talk("base", 6);
  EXPECT_EQ(error_of(first_again), "");
  EXPECT_EQ(first_again.transcript.device, "cpu:0");
}

TEST_F(NodeReplicasTest, AModelThatCannotBeLoadedIsNotTriedOnTheOtherNode) {
  behave("refuse_model");
  EXPECT_EQ(error_of(talk("base", 6)), "damaged_model");
  EXPECT_EQ(setups_.size(), 1u);
}

}  // namespace
}  // namespace server
