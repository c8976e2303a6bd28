#include "engine/live/live_listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/live/loud_is_speech.h"
#include "tests/engine/read_wav.h"

namespace engine {
namespace {

namespace fs = std::filesystem;
using protocol::TurnCause;

constexpr std::int64_t second = 16'000;

// A session through a real pipe, and what its recogniser takes.
class LiveListenerTest : public testing::Test {
 protected:
  LiveListenerTest() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end_ = platform::UniqueFd(ends[0]);
    write_end_ = platform::UniqueFd(ends[1]);
  }

  void listen(const protocol::LiveOptions& live, ListenForSpeech ear = loud_is_speech(),
              int pipe = -1) {
    LiveInput input{.pipe = pipe < 0 ? read_end_.get() : pipe,
                    .listen = std::move(ear),
                    .live = live,
                    .tell = [](const protocol::TranscriptEvent&) {}};
    listener_.emplace(std::move(input), wishes_, stop_.get_token());
  }

  void write(const std::vector<float>& sound) {
    const auto bytes = std::as_bytes(std::span(sound));
    for (std::size_t done = 0; done < bytes.size();) {
      const auto n = ::write(write_end_.get(), bytes.data() + done, bytes.size() - done);
      if (n <= 0) return;
      done += static_cast<std::size_t>(n);
    }
  }
  void write(std::int64_t samples, float value) {
    write(std::vector<float>(static_cast<std::size_t>(samples), value));
  }

  // Takes pieces until `is_last` says so of one; an error is in `error_`.
  template <class Piece>
  Piece take_until() {
    while (true) {
      const auto pieces = listener_->take(std::chrono::minutes(1));
      if (!pieces) {
        error_ = pieces.error();
        return {};
      }
      for (const auto& piece : *pieces) note(piece);
      for (const auto& piece : *pieces) {
        if (const auto* found = std::get_if<Piece>(&piece)) return *found;
      }
    }
  }

  void note(const live::Piece& piece) {
    if (const auto* sound = std::get_if<live::Sound>(&piece)) {
      samples_ += sound->samples.size();
      most_at_once_ = std::max(most_at_once_, sound->samples.size());
    }
    if (const auto* ended = std::get_if<live::TurnEnded>(&piece)) turns_.push_back(*ended);
  }

  platform::UniqueFd read_end_, write_end_;
  LiveWishes wishes_;
  std::stop_source stop_;
  std::optional<LiveListener> listener_;  // it uses the others
  Error error_{};
  std::size_t samples_ = 0;
  std::size_t most_at_once_ = 0;
  std::vector<live::TurnEnded> turns_;
};

TEST_F(LiveListenerTest, TurnsComeWhileTheSoundGoesOn) {
  listen({});
  write(second, 0.5F);
  EXPECT_EQ(take_until<live::TurnBegan>().begin, 0);
  write(second, 0);
  EXPECT_EQ(take_until<live::TurnEnded>().cause, TurnCause::silence);
  write_end_.reset();
  EXPECT_EQ(take_until<live::Ended>().samples, 2 * second);
}

TEST_F(LiveListenerTest, ACommitIsHeardWhileTheClientSaysNothing) {
  listen({.turn_detection = std::nullopt});
  write(second, 0.5F);
  EXPECT_EQ(take_until<live::TurnBegan>().turn, 1);
  wishes_.add({second, live::Commit{}});
  const auto ended = take_until<live::TurnEnded>();
  EXPECT_EQ(ended.end, second);
  EXPECT_EQ(ended.cause, TurnCause::client);
}

TEST_F(LiveListenerTest, ACommitMayComeBeforeItsSound) {
  wishes_.add({second + 100, live::Commit{}});
  listen({.turn_detection = std::nullopt});
  write(second, 0.5F);
  EXPECT_EQ(take_until<live::TurnBegan>().turn, 1);
  write(second, 0.5F);
  EXPECT_EQ(take_until<live::TurnEnded>().end, second + 100);
}

TEST_F(LiveListenerTest, WishesAtTheEndOfTheSoundAreHeard) {
  listen({.turn_detection = std::nullopt});
  write(second, 0);
  wishes_.add({second, live::Commit{}});
  write_end_.reset();
  EXPECT_EQ(take_until<live::Ended>().samples, second);
  ASSERT_EQ(turns_.size(), 1u);
  EXPECT_EQ(turns_[0].cause, TurnCause::client);
}

TEST_F(LiveListenerTest, ARecordingThatIsSentAtOnceIsAheadOfTheClock) {
  listen({});
  EXPECT_FALSE(listener_->is_ahead());
  write(300 * second, 0);
  write_end_.reset();
  EXPECT_EQ(take_until<live::Ended>().samples, 300 * second);
  EXPECT_TRUE(listener_->is_ahead());
}

TEST_F(LiveListenerTest, NothingIsLostWhereTheRecogniserIsSlow) {
  listen({.turn_detection = std::nullopt});
  std::jthread writer([this] {
    write(100 * second, 0.5F);
    write_end_.reset();
  });
  EXPECT_EQ(take_until<live::Ended>().samples, 100 * second);
  EXPECT_EQ(samples_, static_cast<std::size_t>(100 * second));
  EXPECT_LT(most_at_once_, LivePieces::most_samples + static_cast<std::size_t>(2 * second));
}

TEST_F(LiveListenerTest, AStopRequestEndsItWhileSoundComes) {
  listen({.turn_detection = std::nullopt});
  std::signal(SIGPIPE, SIG_IGN);
  std::jthread writer([this] { write(100 * second, 0.5F); });
  EXPECT_EQ(take_until<live::TurnBegan>().turn, 1);
  stop_.request_stop();
  EXPECT_EQ(listener_->take(std::chrono::minutes(1)).error().code, Errc::cancelled);
  listener_.reset();
  read_end_.reset();
}

TEST_F(LiveListenerTest, TurnDetectionWithoutSileroSaysWhatToInstall) {
  listen({}, ListenForSpeech());
  take_until<live::Ended>();
  EXPECT_EQ(error_.code, Errc::not_found);
  EXPECT_NE(error_.fix.find("scribed models pull silero-vad"), std::string::npos);
}

TEST_F(LiveListenerTest, TooManyWishesEndTheSession) {
  for (std::size_t i = 0; i <= LiveWishes::most; ++i) wishes_.add({second, live::Commit{}});
  listen({});
  take_until<live::Ended>();
  EXPECT_EQ(error_.code, Errc::invalid_option);
}

TEST_F(LiveListenerTest, APipeThatCannotBeReadIsAnError) {
  const platform::UniqueFd folder(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  listen({}, loud_is_speech(), folder.get());
  take_until<live::Ended>();
  EXPECT_EQ(error_.code, Errc::input_failed);
}

fs::path folder_of(const char* variable, const char* otherwise) {
  const char* given = std::getenv(variable);
  return given ? fs::path(given) : fs::path(SCRIBED_SOURCE_DIR) / otherwise;
}

// The real network, which scripts/test installs, and a recording of tests/recordings.
TEST_F(LiveListenerTest, SileroHearsTenNumbersAsTenTurns) {
  const fs::path recordings = folder_of("SCRIBED_RECORDINGS", ".deps/recordings");
  const fs::path file =
      folder_of("SCRIBED_MODELS", ".deps/data/models") / "silero-vad" / "silero_vad_16k_op15.onnx";
  if (!fs::exists(file)) GTEST_SKIP() << "the model silero-vad is not installed";
  if (!fs::exists(recordings)) GTEST_SKIP() << "no recordings: run scripts/setup --tests";
  auto weights = load_silero(file);
  ASSERT_TRUE(weights) << weights.error().message;
  const auto vad =
      std::make_shared<SileroVad>(std::make_shared<const SileroWeights>(*std::move(weights)));
  listen({.turn_detection = protocol::TurnDetection{.silence_duration_ms = 200}},
         [vad](std::span<const float> pcm, std::vector<float>& probabilities) {
           vad->push(pcm, probabilities);
         });
  std::jthread writer([&] {
    write(read_wav(recordings / "en-numbers.wav"));
    write_end_.reset();
  });
  take_until<live::Ended>();
  EXPECT_EQ(turns_.size(), 10u);
}

}  // namespace
}  // namespace engine
