#include "engine/speakers/speaker_thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <utility>

#include "engine/speakers/speaker_analysis.h"
#include "tests/engine/speakers/fake_networks.h"

namespace engine {
namespace {

using namespace std::chrono_literals;

// Networks that hear nothing before they are let go.
class PatientNetworks : public FakeNetworks {
 public:
  std::vector<Voices> segment(std::span<const float> windows) const override {
    begun.release();
    if (!is_let_go.try_acquire_for(60s)) throw std::runtime_error("nobody let the networks go");
    is_let_go.release();
    ++calls;
    return FakeNetworks::segment(windows);
  }
  mutable std::counting_semaphore<1000> begun{0};
  mutable std::counting_semaphore<1000> is_let_go{0};
  mutable std::atomic<int> calls = 0;
};

class BrokenNetworks : public FakeNetworks {
 public:
  std::vector<Voices> segment(std::span<const float>) const override {
    throw std::runtime_error("the device is gone");
  }
};

std::unique_ptr<SpeakerThread> thread_of(
    std::shared_ptr<const SpeakerNetworks> networks, std::function<void()> prepare = [] {}) {
  return std::make_unique<SpeakerThread>(
      std::move(networks), SpeakerBounds{}, std::vector<KnownVoice>(),
      SpoolFile::create(testing::TempDir()).value(), std::move(prepare));
}

const Speech conversation{{2, 0}, {20, 0.2F}, {0.3, 0}, {15, 0.1F}, {60, 0.2F}, {3, 0}};

void hear(SpeakerThread& thread, const std::vector<float>& pcm) {
  for (std::size_t begin = 0; begin < pcm.size(); begin += 7777) {
    const auto part =
        std::span(pcm).subspan(begin, std::min<std::size_t>(7777, pcm.size() - begin));
    ASSERT_TRUE(thread.push(part));
  }
  ASSERT_TRUE(thread.finish());
}

TEST(SpeakerThread, FindsTheTurnsOfTheRecording) {
  const auto pcm = sound(conversation);
  SpeakerAnalysis analysis(std::make_shared<FakeNetworks>());
  analysis.push(pcm);
  analysis.finish();
  const Turns expected = find_turns(analysis.evidence());
  bool prepared = false;
  const auto thread = thread_of(std::make_shared<FakeNetworks>(), [&] { prepared = true; });
  hear(*thread, pcm);
  const auto turns = thread->turns([](double) {}, {});
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->all, expected.all);
  EXPECT_EQ(turns->exclusive, expected.exclusive);
  EXPECT_EQ(turns->all.size(), 3U);
  EXPECT_TRUE(prepared);
}

TEST(SpeakerThread, HoldsUpNobodyWhoGivesItSound) {
  const auto networks = std::make_shared<PatientNetworks>();
  const auto thread = thread_of(networks);
  hear(*thread, sound(conversation));  // returns although the networks have heard nothing yet
  EXPECT_EQ(networks->calls, 0);
  std::vector<double> heard;
  const auto tell = [&](double seconds) {
    heard.push_back(seconds);
    networks->is_let_go.release();
  };
  ASSERT_TRUE(thread->turns(tell, {}));
  ASSERT_FALSE(heard.empty());
  EXPECT_LT(heard.front(), 100);
  EXPECT_GT(networks->calls, 1);
}

TEST(SpeakerThread, OfARecordingWithoutSoundFindsNobody) {
  const auto thread = thread_of(std::make_shared<FakeNetworks>());
  ASSERT_TRUE(thread->finish());
  EXPECT_TRUE(thread->turns([](double) {}, {})->all.empty());
}

TEST(SpeakerThread, StopsAfterABatchWhenItIsNotWantedAnyMore) {
  const auto networks = std::make_shared<PatientNetworks>();
  auto thread = thread_of(networks);
  hear(*thread, sound(conversation));
  ASSERT_TRUE(networks->begun.try_acquire_for(60s));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(thread->turns([](double) {}, stop.get_token()).error().code, Errc::cancelled);
  std::jthread later([&] {
    std::this_thread::sleep_for(50ms);
    networks->is_let_go.release();
  });
  thread.reset();
  EXPECT_LE(networks->calls, 1);
}

TEST(SpeakerThread, EndsWithoutHavingBegun) {
  const auto thread = thread_of(std::make_shared<FakeNetworks>());
  ASSERT_TRUE(thread->push(sound({{1, 0.1F}})));
}

TEST(SpeakerThread, HandsOnTheFailureOfTheNetworks) {
  const auto thread = thread_of(std::make_shared<BrokenNetworks>());
  hear(*thread, sound(conversation));
  EXPECT_THROW(static_cast<void>(thread->turns([](double) {}, {})), std::runtime_error);
}

}  // namespace
}  // namespace engine
