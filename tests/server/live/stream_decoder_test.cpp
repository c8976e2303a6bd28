#include "server/live/stream_decoder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/server/live/live_fixture.h"
#include "tests/server/live/scripted_adapter.h"
#include "tests/server/live/wav_stream.h"

namespace server {
namespace {

using test::sound_of;
using test::wav_stream;

// Streams that a real decoder process decodes.
class StreamDecoderTest : public test::LiveFixture {
 protected:
  StreamDecoderTest() : stream(StreamDecoder::start(io.get_executor(), models, "ada").value()) {
    call.emplace(io, stream->run([this](std::span<const float> pcm) { return take(pcm); }));
  }
  asio::awaitable<void> take(std::span<const float> pcm) {
    samples += pcm.size();
    if (!pcm.empty()) last = pcm.back();
    while (is_full) co_await sleep_for(std::chrono::milliseconds(5));
  }
  void wait_for_end() {
    test::run_until(io, [&] { return call->ended(); });
  }
  template <class Work>
  void await(Work work) {
    test::run(io, [](Work work) -> asio::awaitable<int> {
      co_await work();
      co_return 0;
    }(std::move(work)));
  }

  std::unique_ptr<StreamDecoder> stream;
  std::optional<test::Started<Result<void>>> call;
  std::size_t samples = 0;
  float last = 0;
  bool is_full = false;
};

TEST_F(StreamDecoderTest, AudioComesBeforeTheStreamHasEnded) {
  stream->write(wav_stream(sound_of(4)));
  test::run_until(io, [&] { return samples > 48'000; });
  EXPECT_FALSE(call->ended());
  stream->write(sound_of(1));
  stream->finish();
  stream->write(sound_of(1));
  wait_for_end();
  EXPECT_TRUE(call->value()) << call->value().error().message;
  EXPECT_TRUE(stream->has_ended());
  EXPECT_EQ(samples, 80'000U) << "what comes behind the end is not heard";
  EXPECT_NEAR(last, -0.5, 0.01);
}

TEST_F(StreamDecoderTest, BytesMayBeCutAnywhere) {
  const std::string bytes = wav_stream(sound_of(0.1));
  for (const char byte : bytes) stream->write({&byte, 1});
  stream->finish();
  wait_for_end();
  EXPECT_TRUE(call->value());
  EXPECT_EQ(samples, 1'600U);
}

TEST_F(StreamDecoderTest, ItIsSettledWhenItsBytesAreDecoded) {
  stream->write(wav_stream(sound_of(20)));
  await([&] { return stream->settled(); });
  EXPECT_GT(samples, 19 * 16'000U);
  EXPECT_FALSE(call->ended());
}

TEST_F(StreamDecoderTest, ThereIsRoomWhenTheDecoderHasTakenTheBytes) {
  stream->write(wav_stream(sound_of(60)));
  await([&] { return stream->room(); });
  EXPECT_GT(samples, 0U);
}

TEST_F(StreamDecoderTest, WhatIsNoAudioIsAnError) {
  stream->write(std::string(100'000, 'x'));
  stream->finish();
  wait_for_end();
  ASSERT_FALSE(call->value());
  EXPECT_EQ(call->value().error().code, "unsupported_format");
  stream->write("more");
  await([&] { return stream->room(); });
}

// Such a decoder would wait for a place in memory among those of files, and keep it for hours. A
// picture in the tag of an MP3 stream is large here.
TEST_F(StreamDecoderTest, OneThatNeedsMuchMemoryEnds) {
  constexpr std::uint32_t picture = 48 << 20;
  const std::string about("\0image/png\0\3\0", 13);
  const auto size = static_cast<std::uint32_t>(picture + about.size());
  std::string tag("ID3\3\0\0", 6);
  for (int i = 3; i >= 0; --i) tag += static_cast<char>((size + 10) >> 7 * i & 0x7f);
  tag += "APIC";
  for (int i = 3; i >= 0; --i) tag += static_cast<char>(size >> 8 * i & 0xff);
  const std::string signature = "\x89PNG\r\n\x1a\n";
  std::string silence;  // frames of MP3
  for (int i = 0; i < 50; ++i) silence += "\xff\xfb\x10\xc0" + std::string(100, '\0');
  stream->write(tag + std::string(2, '\0') + about + signature +
                std::string(picture - signature.size(), 'x') + silence);
  wait_for_end();
  ASSERT_FALSE(call->value());
  EXPECT_EQ(call->value().error().code, errc::out_of_memory);
}

TEST_F(StreamDecoderTest, DroppingItEndsTheWaitForRoom) {
  is_full = true;
  stream->write(wav_stream(sound_of(100)));
  const auto wait = [](StreamDecoder& stream) -> asio::awaitable<int> {
    co_await stream.room();
    co_return 0;
  };
  test::Started<int> waiting(io, wait(*stream));
  test::run_until(io, [&] { return samples > 0; });
  EXPECT_FALSE(waiting.ended());
  stream->drop();
  test::run_until(io, [&] { return waiting.ended(); });
  is_full = false;
  wait_for_end();
}

TEST_F(StreamDecoderTest, DroppingItEndsItsProcess) {
  stream->write(wav_stream(sound_of(4)));
  test::run_until(io, [&] { return samples > 0; });
  stream.reset();
  wait_for_end();
  EXPECT_TRUE(call->value());
}

}  // namespace
}  // namespace server
