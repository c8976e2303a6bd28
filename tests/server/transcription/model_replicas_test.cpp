#include "server/transcription/model_replicas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "server/base/race.h"
#include "tests/server/transcription/pool_fixture.h"

// Pools on several played cards.
namespace server {
namespace {

using std::chrono::milliseconds;

class ModelReplicasTest : public test::PoolTest {
 protected:
  ModelReplicasTest() { cards_ = 2; }

  std::vector<ModelDevice> devices() {
    const auto loaded = pool().loaded();
    return loaded.empty() ? std::vector<ModelDevice>{} : loaded.front().devices;
  }

  // Returns the devices that take jobs.
  std::vector<std::string> loaded_on() {
    std::vector<std::string> names;
    for (const auto& device : devices()) {
      if (!device.is_loading) names.push_back(device.device);
    }
    return names;
  }

  void wait_for(const std::vector<std::string>& devices) {
    test::run_until(io_, [&] { return loaded_on() == devices; });
  }

  void finish(Call& call) {
    call.sound.reset();
    EXPECT_EQ(error_of(call), "");
  }

  // Begins two jobs on the first card and one on the second.
  std::vector<Call*> begin_on_both() {
    auto& first = begin("base");
    auto& second = begin("base");
    wait_for(both);
    auto& third = begin("base");
    EXPECT_EQ(first.transcript.device, "cuda:0");
    EXPECT_EQ(second.transcript.device, "cuda:0");
    EXPECT_EQ(third.transcript.device, "cuda:1");
    return {&first, &second, &third};
  }

  const std::vector<std::string> both{"cuda:0", "cuda:1"};
  const std::vector<std::string> only_first{"cuda:0"};
  const std::vector<std::string> only_second{"cuda:1"};
};

TEST_F(ModelReplicasTest, OneJobAtATimeNeedsOneCard) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(loaded_on(), only_first);
  EXPECT_EQ(workers().size(), 1u);
}

TEST_F(ModelReplicasTest, JobsAtTheSameTimeSpreadOverTheCards) {
  const auto calls = begin_on_both();
  EXPECT_EQ(setups_.size(), 1u);
  const auto used = devices();
  EXPECT_EQ(used[0].jobs, 2);
  EXPECT_EQ(used[1].jobs, 1);
  EXPECT_EQ(used[1].device_name, "Card 1");
  auto& fourth = begin("base");
  EXPECT_EQ(fourth.transcript.device, "cuda:1");
  for (Call* call : calls) finish(*call);
  finish(fourth);
}

TEST_F(ModelReplicasTest, ACardThatFailsInAJobLeavesAndTheOthersGoOn) {
  const auto calls = begin_on_both();
  auto& neighbour = *calls[2];
  EXPECT_EQ(error_of(talk("base", 6, "fake:lose_card")), "device_unavailable");
  EXPECT_EQ(error_of(neighbour), "device_unavailable");
  EXPECT_EQ(loaded_on(), only_first);
  EXPECT_FALSE(calls[0]->call->ended());
  EXPECT_FALSE(pool().trouble());
  auto& next = talk("base", 6);
  EXPECT_EQ(error_of(next), "");
  EXPECT_EQ(next.transcript.device, "cuda:0");
  const auto passed_over = pool().loaded()[0].passed_over;
  ASSERT_EQ(passed_over.size(), 1u);
  EXPECT_EQ(passed_over[0].card, "Card 1");
  finish(*calls[0]);
  finish(*calls[1]);
  EXPECT_EQ(setups_.size(), 1u);
  EXPECT_EQ(workers().size(), 1u);  // the card is not tried again at once
}

TEST_F(ModelReplicasTest, TheFirstCardCanLeaveAsWell) {
  const auto calls = begin_on_both();
  auto& on_second = begin("base");
  auto& killer = talk("base", 6, "fake:lose_card");  // two jobs on each: it goes to the first
  EXPECT_EQ(error_of(killer), "device_unavailable");
  EXPECT_EQ(error_of(*calls[0]), "device_unavailable");
  EXPECT_EQ(error_of(*calls[1]), "device_unavailable");
  EXPECT_EQ(loaded_on(), only_second);
  EXPECT_EQ(pool().loaded()[0].device, "cuda:1");
  finish(*calls[2]);
  finish(on_second);
  EXPECT_FALSE(pool().trouble());
}

TEST_F(ModelReplicasTest, ACardIsUsedAgainAfterAPause) {
  settings_.card_failures.first_pause = milliseconds(1);
  const auto calls = begin_on_both();
  EXPECT_EQ(error_of(talk("base", 6, "fake:lose_card")), "device_unavailable");
  EXPECT_EQ(loaded_on(), only_first);
  test::run(io_, sleep_for(milliseconds(5)));
  auto& asks_for_another = begin("base");
  wait_for(both);
  test::run_until(io_, [&] { return pool().loaded()[0].passed_over.empty(); });
  finish(asks_for_another);
  finish(*calls[0]);
  finish(*calls[1]);
}

TEST_F(ModelReplicasTest, ACardThatCannotBeLoadedCostsNoJob) {
  behave("cuda:1_dies:CUDA error: no kernel image is available");
  auto& first = begin("base");
  auto& second = begin("base");
  test::run_until(io_, [&] { return !pool().loaded()[0].passed_over.empty(); });
  EXPECT_EQ(pool().loaded()[0].passed_over[0].card, "Card 1");
  EXPECT_EQ(loaded_on(), only_first);
  finish(first);
  finish(second);
}

TEST_F(ModelReplicasTest, ACardThatFailedAtTheFirstLoadingIsNotAskedAgain) {
  behave("cuda:0_dies:CUDA error: no kernel image is available");
  auto& first = begin("base");
  auto& second = begin("base");
  EXPECT_EQ(first.transcript.device, "cuda:1");
  EXPECT_EQ(devices().size(), 1u);
  finish(first);
  finish(second);
}

TEST_F(ModelReplicasTest, WhoWaitsForRoomGetsAFurtherCard) {
  settings_.jobs_per_worker = 1;
  auto& first = begin("base");
  auto& second = talk("base", 6);
  EXPECT_TRUE(second.waited);
  EXPECT_EQ(error_of(second), "");
  EXPECT_EQ(second.transcript.device, "cuda:1");
  EXPECT_FALSE(first.call->ended());
  finish(first);
}

TEST_F(ModelReplicasTest, WithoutAnyCardLeftTheModelIsLoadedAnew) {
  const auto calls = begin_on_both();
  for (const pid_t worker : workers()) ::kill(worker, SIGKILL);
  for (Call* call : calls) EXPECT_EQ(error_of(*call), "worker_died");
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_GE(setups_.size(), 2u);
}

TEST_F(ModelReplicasTest, AllWorkersEndWithTheModel) {
  const auto calls = begin_on_both();
  for (Call* call : calls) finish(*call);
  EXPECT_TRUE(pool().unload("base"));
  test::run_until(io_, [&] { return workers().empty(); });
}

}  // namespace
}  // namespace server
