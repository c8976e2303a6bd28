#include "server/live/adapter_driver.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/server/live/driver_fixture.h"

namespace server {
namespace {

using test::sound_of;

class AdapterDriverTest : public test::DriverFixture {};

TEST_F(AdapterDriverTest, SoundBecomesEventsInOrder) {
  const auto driver = connect();
  driver->begin();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-2.0 w1 w2");
  EXPECT_EQ(frames, (std::vector<std::string>{"hello", "started 1 0.0", "words 1 w1", "words 1 w2",
                                              "turn 1 0.0-2.0 w1 w2"}));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  let_all_end();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended.front().turns, 1);
  EXPECT_DOUBLE_EQ(ended.front().sound_s, 2);
  EXPECT_NE(metrics.text().find("scribed_live_word_latency_seconds_count 2"), std::string::npos);
}

TEST_F(AdapterDriverTest, ASessionThatFailsIsBegunAnewAndItsTimesGoOn) {
  const auto driver = connect();
  driver->receive_text("open fake:die_after:1");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "failed"), "failed worker_died");
  EXPECT_EQ(frames[frames.size() - 2], "turn 1 0.0-2.0 w1 w2");
  driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 2 2.0-2.0 ") << "there is nothing, and that is told";
  driver->receive_bytes(sound_of(1));
  EXPECT_EQ(wait_for(*driver, "started"), "started 3 2.0");
}

TEST_F(AdapterDriverTest, ASessionThatFailsAgainAndAgainEndsTheConnection) {
  const auto driver = connect(protocol::live::SoundFormat{.rate = 1});
  driver->receive_text("open");
  for (int i = 0; i < AdapterDriver::most_failures; ++i) driver->receive_bytes("1234");
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(std::ranges::count(frames, "failed unsupported_parameter"),
            AdapterDriver::most_failures);
  EXPECT_EQ(driver->outbox().closing().code, 1011);
}

// Two speakers: each text frame opens the session of its number.
class SpeakersAdapter final : public protocol::live::Adapter {
 public:
  protocol::live::Actions receive_text(std::string_view number) override {
    return {protocol::live::Open{.session = number == "0" ? 0 : 1}};
  }
  protocol::live::Actions receive_bytes(std::string_view) override { return {}; }
  protocol::live::Actions tell(int, const protocol::TranscriptEvent&) override { return {}; }
  protocol::live::Actions tell_end(int) override { return {}; }
  protocol::live::Actions tell_failure(int session, const protocol::Error&) override {
    if (++failures >= 2 * AdapterDriver::most_failures) return {};
    return {protocol::live::Sound{.session = session, .format = {.rate = 1}, .bytes = "1234"}};
  }

  int failures = 0;
};

TEST_F(AdapterDriverTest, AFailingSessionBesideAnotherDoesNotEndTheConnection) {
  auto adapter = std::make_unique<SpeakersAdapter>();
  const SpeakersAdapter& speakers = *adapter;
  const auto driver = std::make_shared<AdapterDriver>(live, std::move(adapter),
                                                      AdapterDriver::Client{.principal = "ada"});
  driver->receive_text("0");
  services.default_model = "tiny";  // which is not there
  driver->receive_text("1");
  EXPECT_EQ(speakers.failures, 2 * AdapterDriver::most_failures);
  EXPECT_FALSE(driver->outbox().is_closing());
}

TEST_F(AdapterDriverTest, SaysThatThereIsNoModel) {
  services.default_model = "tiny";
  const auto driver = connect();
  driver->receive_text("open");
  EXPECT_EQ(wait_for(*driver, "failed"), "failed no_model");
  EXPECT_NE(metrics.text().find(R"(scribed_live_refused_total{reason="no_model"})"),
            std::string::npos)
      << metrics.text();
}

TEST_F(AdapterDriverTest, AModelThatIsNotThereIsNotReplacedByAnother) {
  services.aliases = {{"mine", "tiny"}};
  EXPECT_EQ(live.find_model("base").value(), "base");
  for (const char* usual : {"", "whisper-1", "gpt-4o-transcribe", "gpt-realtime"}) {
    EXPECT_EQ(live.find_model(usual).value(), "base") << usual;
  }
  EXPECT_EQ(live.find_model("bsae").error().code, "unknown_model");
  for (const char* known : {"tiny", "mine"}) {
    EXPECT_EQ(live.find_model(known).error().code, "not_installed") << known;
  }
}

TEST_F(AdapterDriverTest, KnowsWhichLanguagesAModelHas) {
  install("tiny.en");
  const auto check = [&](const std::string& model, const std::string& code) {
    return live.check_languages(model, {&code, 1});
  };
  EXPECT_TRUE(check("tiny.en", "en"));
  EXPECT_TRUE(check("tiny.en", "")) << "it is auto-detected";
  EXPECT_TRUE(check("of-a-path", "de"));
  const auto problem = check("tiny.en", "de");
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().message, "The model tiny.en does not support the language 'de'.");
  EXPECT_EQ(problem.error().fix, "Use en, or a multilingual model.");
}

TEST_F(AdapterDriverTest, AContainerThatIsDeclaredAsRawEndsTheConnection) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes("OggS" + std::string(3000, '\0'));
  EXPECT_EQ(wait_for(*driver, "undecodable"), "undecodable unsupported_format");
  EXPECT_TRUE(driver->outbox().is_closing());
  EXPECT_EQ(driver->outbox().closing().code, 4001);
}

TEST_F(AdapterDriverTest, BytesOfAContainerWithinRawSoundAreSound) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1.5));
  driver->receive_bytes("OggS" + std::string(3000, '\0'));
  EXPECT_EQ(wait_for(*driver, "words"), "words 1 w1");
  EXPECT_FALSE(driver->outbox().is_closing());
}

TEST_F(AdapterDriverTest, SaysThatAHelperModelIsMissing) {
  services.fetch_helper = nullptr;
  const auto driver = connect();
  driver->receive_text("open");
  EXPECT_EQ(wait_for(*driver, "failed"), "failed model_not_installed");
}

TEST_F(AdapterDriverTest, WaitsForAHelperModelThatIsBeingDownloaded) {
  bool is_fetching = false;
  services.is_fetching = [&](const std::string&) { return is_fetching; };
  services.fetch_helper = [&](const std::string&) -> asio::awaitable<Result<void>> {
    is_fetching = true;
    co_return Result<void>();
  };
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  test::run_until(io, [&] { return is_fetching; });
  install("silero-vad");
  is_fetching = false;
  EXPECT_EQ(wait_for(*driver, "words"), "words 1 w1");
}

TEST_F(AdapterDriverTest, RequestsWithoutSoundAreBounded) {
  const auto driver = connect();
  driver->receive_text("open");
  for (int i = 0; i < AdapterDriver::most_wishes; ++i) driver->receive_text("clear");
  EXPECT_FALSE(driver->outbox().is_closing());
  driver->receive_text("clear");
  ASSERT_TRUE(driver->outbox().is_closing());
  EXPECT_EQ(driver->outbox().closing().code, 1008);
}

TEST_F(AdapterDriverTest, TheServersEndHasWhatWasSaidToldFirst) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1.5));
  live.begin_stop();
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 1001);
  EXPECT_EQ(frames, (std::vector<std::string>{"shutdown", "started 1 0.0", "words 1 w1",
                                              "words 1 w2", "turn 1 0.0-1.5 w1 w2", "end"}));
  EXPECT_EQ(live.take_place("ada").error().code, errc::draining);
}

TEST_F(AdapterDriverTest, EndsBehindTheSoundThatItsOwnerMayHave) {
  jobs.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 3}}}});
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  EXPECT_EQ(wait_for(*driver, "words"), "words 1 w1");
  EXPECT_FALSE(driver->outbox().is_closing());
  driver->receive_bytes(sound_of(2));
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 1008);
  EXPECT_EQ(std::ranges::count(frames, "limit too_much_sound"), 1);
  ASSERT_GT(frames.size(), 2U);
  EXPECT_EQ(frames[frames.size() - 2], "turn 1 0.0-3.0 w1 w2 w3");
  EXPECT_EQ(frames.back(), "end");
  let_all_end();
  EXPECT_DOUBLE_EQ(ended.front().sound_s, 3);
  test::run_until(io, [&] { return !live.quota()->is_busy(); });
  EXPECT_DOUBLE_EQ(test::run(io, jobs.use_of("ada")).value().sound_seconds, 3);
}

TEST_F(AdapterDriverTest, ASessionOfWhoHasUsedUpTheDayIsToldSoAndClosed) {
  jobs.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 3}}}});
  ASSERT_TRUE(test::run(io, jobs.add_live_sound("ada", 3)));
  const auto driver = connect();
  EXPECT_FALSE(test::run(io, live.quota()->check("ada")));
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(frames, (std::vector<std::string>{"limit too_much_sound", "end"}));
  EXPECT_EQ(driver->outbox().closing().code, 1008);
}

TEST_F(AdapterDriverTest, ASessionBeyondTheOwnersJobsFails) {
  jobs.set_limits({.of_owner = {{"ada", {.open_jobs = 1}}}});
  const auto first = connect(), second = connect();
  first->receive_text("open");
  second->receive_text("open");
  EXPECT_EQ(wait_for(*second, "failed"), "failed too_many_jobs");
  first->receive_text("finish");
  EXPECT_EQ(wait_for(*first, "end"), "end");
}

TEST_F(AdapterDriverTest, WhoWaitsForTheRoomOfARefusedSessionGoesOn) {
  jobs.set_limits({.of_owner = {{"ada", {.open_jobs = 1}}}});
  const auto first = connect(), second = connect();
  first->receive_text("open");
  second->receive_text("open");
  second->receive_bytes(sound_of(LiveSession::most_waiting_s + 2));
  const auto room_of = [](AdapterDriver& driver) -> asio::awaitable<bool> {
    co_await driver.room();
    co_return true;
  };
  EXPECT_TRUE(test::run(io, room_of(*second)));
}

asio::awaitable<bool> room_of(std::shared_ptr<AdapterDriver> driver) {
  co_await driver->room();
  co_return true;
}

// Messages that follow the frame wait until all of it is heard.
TEST_F(AdapterDriverTest, ALongFrameIsHeardWhole) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(20));
  driver->receive_text("finish");
  driver->receive_text("say ready");
  EXPECT_TRUE(test::run(io, room_of(driver)));
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  EXPECT_NE(std::ranges::find(frames, "ready"), frames.end());
  let_all_end();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_DOUBLE_EQ(ended.front().sound_s, 20);
}

TEST_F(AdapterDriverTest, ALongFrameIsHeardNoFurtherBehindTheEnd) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(20));
  driver->finish({1001, "the end"});
  EXPECT_TRUE(test::run(io, room_of(driver)));
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  let_all_end();
  ASSERT_EQ(ended.size(), 1u);
  const double piece_s = AdapterDriver::piece_bytes / 2 / 16'000.0;
  EXPECT_DOUBLE_EQ(ended.front().sound_s, piece_s);
}

TEST_F(AdapterDriverTest, AnotherOpenBeginsAnew) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-2.0 w1 w2");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  let_all_end();
  EXPECT_EQ(ended.size(), 2u);
}

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

TEST_F(AdapterDriverTest, ConnectionsThatComeAndGoLeaveNothing) {
  const auto warm_up = connect();  // its worker stays
  warm_up->receive_text("open");
  warm_up->receive_bytes(sound_of(1));
  warm_up->receive_text("commit");
  wait_for(*warm_up, "turn");
  const auto before = open_descriptors();
  const auto places = live.places().taken();
  std::mt19937 random(1);
  const std::string second = sound_of(1);
  for (int i = 0; i < 200; ++i) {
    auto driver = connect();
    for (const char* step : {"open", "sound", "commit", "sound", "clear", "sound", "finish"}) {
      if (random() % 6 == 0) break;  // the client leaves
      if (step == std::string("sound")) {
        driver->receive_bytes(second);
      } else {
        driver->receive_text(step);
      }
      for (auto turns = random() % 20; turns > 0; --turns) io.poll_one();
    }
  }
  test::run_until(io, [&] { return live.places().taken() == places; });
  test::run_until(io, [&] { return models.loaded().front().jobs == 1; });
  test::run_until(io, [&] { return open_descriptors() <= before; });
  EXPECT_EQ(open_descriptors(), before);
  warm_up->receive_text("commit");
  EXPECT_EQ(wait_for(*warm_up, "turn").substr(0, 7), "turn 2 ");
}

}  // namespace
}  // namespace server
