#include "server/transcription/model_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "server/base/race.h"
#include "tests/server/transcription/pool_fixture.h"

namespace server {
namespace {

using std::chrono::milliseconds;

using ModelPoolTest = test::PoolTest;

TEST_F(ModelPoolTest, LoadsAtFirstUseAndKeepsTheModel) {
  EXPECT_TRUE(pool().loaded().empty());
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(setups_, std::vector<std::string>{"base"});
  const auto loaded = pool().loaded();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0].name, "base");
  EXPECT_EQ(loaded[0].device, "cpu");
  EXPECT_EQ(loaded[0].jobs, 0);
  EXPECT_FALSE(loaded[0].is_loading);
  EXPECT_TRUE(loaded[0].expires_in);
}

TEST_F(ModelPoolTest, TellsOfEachLoadingWithTheNotesOfTheWorker) {
  behave("notes:the packed model was damaged");
  std::vector<std::string> notes;
  on_load_ = [&](const protocol::worker::Loaded& loaded) { notes.push_back(loaded.notes.at(0)); };
  const std::vector<std::string> once{"the packed model was damaged"};
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_EQ(notes, once);
}

TEST_F(ModelPoolTest, TellsLanguageAndText) {
  auto& call = talk("base", 6);
  EXPECT_EQ(error_of(call), "");
  EXPECT_EQ(call.events.language, "en");
  EXPECT_EQ(call.transcript.text, " Segment 0. Segment 1.");
  EXPECT_EQ(call.transcript.model, "base");
}

TEST_F(ModelPoolTest, SharesAWorkerBetweenJobs) {
  auto& first = begin("base");
  auto& second = begin("base");
  EXPECT_EQ(workers().size(), 1u);
  EXPECT_EQ(pool().loaded()[0].jobs, 2);
  second.sound.reset();
  EXPECT_EQ(error_of(second), "");
  EXPECT_FALSE(first.call->ended());
  first.sound.reset();
  EXPECT_EQ(error_of(first), "");
}

TEST_F(ModelPoolTest, EndsACancelledJobAlone) {
  auto& cancelled = begin("base");
  auto& neighbour = begin("base");
  cancel(cancelled);
  neighbour.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_EQ(workers().size(), 1u);
  EXPECT_EQ(setups_.size(), 1u);
}

TEST_F(ModelPoolTest, LeavesTheWorkerOfAJobThatFails) {
  auto& neighbour = begin("base");
  EXPECT_EQ(error_of(talk("base", 6, "fake:fail")), "non_finite_logits");
  EXPECT_EQ(error_of(talk("base", 0)), "empty_audio");
  neighbour.sound.reset();
  EXPECT_EQ(error_of(neighbour), "");
  EXPECT_EQ(setups_.size(), 1u);
  EXPECT_FALSE(pool().trouble());
}

TEST_F(ModelPoolTest, TellsAllJobsOfAWorkerThatWasKilledAndStartsAnother) {
  for (int i = 0; i < 3; ++i) begin("base");
  ::kill(workers().at(0), SIGKILL);
  for (auto& call : calls_) EXPECT_EQ(error_of(call), "worker_died");
  EXPECT_EQ(error_of(talk("base", 6)), "");
}

TEST_F(ModelPoolTest, ReplacesAWorkerThatHangsWithoutAJob) {
  limits_.idle_ping = milliseconds(40);
  limits_.silence = milliseconds(200);
  limits_.tick = milliseconds(20);
  EXPECT_EQ(error_of(talk("base", 6)), "");
  const pid_t hung = workers().at(0);
  ::kill(hung, SIGSTOP);
  test::run_until(io_, [&] { return !std::ranges::count(workers(), hung); });
  EXPECT_EQ(error_of(talk("base", 6)), "");
}

TEST_F(ModelPoolTest, UnloadsTheLeastRecentlyUsedForAnother) {
  settings_.max_loaded = 2;
  for (const char* model : {"a", "b", "a", "c"}) EXPECT_EQ(error_of(talk(model, 6)), "");
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(workers().size(), 2u);
}

TEST_F(ModelPoolTest, WaitsWhileTheOnlyPlaceIsInUse) {
  auto& busy = begin("a");
  auto& waiting = talk("b", 6);
  EXPECT_TRUE(waiting.waited);
  EXPECT_FALSE(busy.waited);
  test::run(io_, sleep_for(milliseconds(50)));
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  busy.sound.reset();
  EXPECT_EQ(error_of(waiting), "");
  EXPECT_EQ(names(), std::vector<std::string>{"b"});
}

TEST_F(ModelPoolTest, ServesInTheOrderOfAsking) {
  settings_.jobs_per_worker = 2;
  auto& busy = begin("a");
  talk("b", 6);
  talk("a", 6);  // there is room for it, but it came later
  talk("b", 6);
  busy.sound.reset();
  for (auto& call : calls_) EXPECT_EQ(error_of(call), "");
  EXPECT_EQ(loads_, (std::vector<std::string>{"a", "b", "a", "b"}));
}

// A file that may take hours holds the model; callers that need its place have to wait anyway.
TEST_F(ModelPoolTest, LetsWhoWaitsJoinAModelThatAFileHoldsAnyway) {
  using protocol::WorkClass;
  auto& file = begin("a", "", WorkClass::background);
  auto& other = talk("b", 6);
  auto& next_file = talk("a", 6, "", {}, WorkClass::background);
  auto& clip = talk("a", 6);
  EXPECT_EQ(error_of(clip), "");
  EXPECT_FALSE(other.call->ended());
  EXPECT_FALSE(next_file.call->ended());
  file.sound.reset();
  for (auto& call : calls_) EXPECT_EQ(error_of(call), "");
  EXPECT_EQ(loads_, (std::vector<std::string>{"a", "a", "b", "a"}));
}

TEST_F(ModelPoolTest, LetsNoMoreJobsInThanAWorkerMayRun) {
  settings_.jobs_per_worker = 2;
  auto& first = begin("a");
  begin("a");
  auto& third = talk("a", 6);
  EXPECT_TRUE(third.waited);
  EXPECT_EQ(pool().loaded()[0].jobs, 3);
  first.sound.reset();
  EXPECT_EQ(error_of(third), "");
}

TEST_F(ModelPoolTest, ForgetsAWaiterThatWasCancelled) {
  auto& busy = begin("a");
  auto& cancelled = talk("b", 6);
  auto& last = talk("c", 6);
  cancel(cancelled);
  busy.sound.reset();
  EXPECT_EQ(error_of(last), "");
  EXPECT_EQ(setups_, (std::vector<std::string>{"a", "c"}));
}

TEST_F(ModelPoolTest, ServesWhomACancelledWaiterHeldBack) {
  auto& busy = begin("a");
  auto& cancelled = talk("b", 6);
  auto& behind = talk("a", 6);  // there is room for it, but it came later
  EXPECT_TRUE(behind.waited);
  cancel(cancelled);
  EXPECT_EQ(error_of(behind), "");
  EXPECT_FALSE(busy.call->ended());
}

TEST_F(ModelPoolTest, RefusesMoreWaitersThanItMayHold) {
  settings_.max_waiting = 1;
  begin("a");
  talk("b", 6);
  EXPECT_EQ(error_of(talk("c", 6)), errc::queue_full);
}

TEST_F(ModelPoolTest, LoadsOnceForAllAlsoWhenTheFirstCallerLeaves) {
  behave("slow_load");
  test::Started<Result<LoadedModel>> first(io_, pool().load("base"));
  test::run_until(io_, [&] { return workers().size() == 1; });
  const auto worker = workers();
  auto& second = talk("base", 6);
  first.cancel();
  EXPECT_EQ(error_of(second), "");
  EXPECT_TRUE(first.threw());
  EXPECT_EQ(setups_.size(), 1u);
  EXPECT_EQ(workers(), worker);
}

TEST_F(ModelPoolTest, UnloadsAtOnceWithAKeepAliveOfZero) {
  EXPECT_EQ(error_of(talk("base", 6, "", KeepAlive{0})), "");
  test::run_until(io_, [&] { return workers().empty(); });
  EXPECT_TRUE(pool().loaded().empty());
}

TEST_F(ModelPoolTest, UnloadsAfterTheKeepAlive) {
  settings_.keep_alive = milliseconds(30);
  EXPECT_EQ(error_of(talk("base", 6)), "");
  test::run_until(io_, [&] { return workers().empty(); });
  EXPECT_EQ(error_of(talk("base", 6)), "");
}

TEST_F(ModelPoolTest, KeepsForEverWhatIsToBeKept) {
  settings_.keep_alive = milliseconds(30);
  ASSERT_TRUE(test::run(io_, pool().load("base", keep_for_ever)));
  EXPECT_EQ(error_of(talk("base", 6)), "");
  test::run(io_, sleep_for(milliseconds(200)));
  ASSERT_EQ(names(), std::vector<std::string>{"base"});
  EXPECT_FALSE(pool().loaded()[0].expires_in);
}

TEST_F(ModelPoolTest, UnloadsABusyModelAfterItsJobs) {
  EXPECT_FALSE(pool().unload("base"));
  auto& busy = begin("base");
  EXPECT_TRUE(pool().unload("base"));
  auto& next = talk("base", 6);
  test::run(io_, sleep_for(milliseconds(50)));
  EXPECT_FALSE(busy.call->ended());
  busy.sound.reset();
  EXPECT_EQ(error_of(busy), "");
  EXPECT_EQ(error_of(next), "");
  EXPECT_EQ(setups_.size(), 2u);
}

TEST_F(ModelPoolTest, UnloadsAll) {
  settings_.max_loaded = 2;
  for (const char* model : {"a", "b"}) EXPECT_EQ(error_of(talk(model, 6)), "");
  pool().unload_all();
  test::run_until(io_, [&] { return workers().empty(); });
}

TEST_F(ModelPoolTest, TriesAgainWhatCouldNotBeLoaded) {
  const auto mark = mark_file();
  behave("refuses_while:" + mark.string());
  EXPECT_EQ(error_of(talk("base", 6)), "damaged_model");
  EXPECT_FALSE(pool().trouble());  // an error of the model, not of the pool
  std::filesystem::remove(mark);
  EXPECT_EQ(error_of(talk("base", 6)), "");
}

TEST_F(ModelPoolTest, PassesOnWhatIsWrongWithTheSetup) {
  setup_error_ = Error{"not_installed", "the model base is not installed", ""};
  EXPECT_EQ(error_of(talk("base", 6)), "not_installed");
  setup_error_.reset();
  EXPECT_EQ(error_of(talk("base", 6)), "");
}

TEST_F(ModelPoolTest, MakesRoomInMemoryForAnother) {
  settings_.max_loaded = 2;
  EXPECT_EQ(error_of(talk("small", 6)), "");
  needs_all_memory_ = "large";
  EXPECT_EQ(error_of(talk("large", 6)), "");
  EXPECT_EQ(setups_, (std::vector<std::string>{"small", "large", "large"}));
  EXPECT_EQ(names(), std::vector<std::string>{"large"});
}

TEST_F(ModelPoolTest, DoesNotEndABusyModelForTheSakeOfMemory) {
  settings_.max_loaded = 2;
  begin("small");
  needs_all_memory_ = "large";
  EXPECT_EQ(error_of(talk("large", 6)), errc::out_of_memory);
  EXPECT_EQ(names(), std::vector<std::string>{"small"});
}

TEST_F(ModelPoolTest, StartsNoWorkerForAWhileWhenTheyDieAgainAndAgain) {
  settings_.crash = {.deaths = 2, .first_pause = std::chrono::hours(1)};
  settings_.keep_alive = KeepAlive{0};
  behave("die_in_load");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(error_of(talk("base", 6)), "worker_died");
  auto& refused = talk("base", 6);
  EXPECT_EQ(error_of(refused), "worker_died");
  EXPECT_NE(refused.call->value().error().message.find("again and again"), std::string::npos);
  EXPECT_EQ(setups_.size(), 2u);
  EXPECT_EQ(error_of(talk("other", 6)), "worker_died");  // its deaths are counted separately
  EXPECT_EQ(setups_.size(), 3u);
}

TEST_F(ModelPoolTest, BringsBackAModelWhoseWorkerDied) {
  EXPECT_EQ(error_of(talk("base", 6)), "");
  EXPECT_FALSE(pool().trouble());
  const auto before = workers();
  ::kill(before.at(0), SIGKILL);
  test::run_until(io_, [&] { return pool().trouble().has_value(); });
  EXPECT_EQ(pool().trouble()->code, "worker_died");
  test::run_until(io_, [&] { return !pool().trouble(); });
  EXPECT_EQ(names(), std::vector<std::string>{"base"});
  EXPECT_NE(workers(), before);
}

TEST_F(ModelPoolTest, GivesUpOnAModelThatNobodyWouldMiss) {
  settings_.keep_alive = milliseconds(1);
  behave("die_in_load");
  EXPECT_EQ(error_of(talk("base", 6)), "worker_died");
  test::run_until(io_, [&] { return pool().trouble().has_value(); });
  test::run_until(io_, [&] { return !pool().trouble(); });
  EXPECT_EQ(setups_.size(), 2u);
}

TEST_F(ModelPoolTest, DoesNotBringBackWhatIsUnloaded) {
  settings_.keep_alive = keep_for_ever;
  behave("die_in_load");
  EXPECT_EQ(error_of(talk("base", 6)), "worker_died");
  test::run_until(io_, [&] { return pool().trouble().has_value(); });
  pool().unload("base");
  EXPECT_FALSE(pool().trouble());
}

TEST_F(ModelPoolTest, EndsEverythingWithIt) {
  auto& running = begin("a");
  auto& waiting = talk("b", 6);
  pool_.reset();
  EXPECT_TRUE(workers().empty());
  EXPECT_EQ(error_of(running), errc::cancelled);
  EXPECT_EQ(error_of(waiting), errc::cancelled);
}

}  // namespace
}  // namespace server
