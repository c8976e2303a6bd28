#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/protocol/deepgram/stream.h"

namespace protocol::deepgram {
namespace {

using namespace test;

TEST(DeepgramStream, CloseStreamEndsWithMetadata) {
  Stream stream;
  stream.bytes(32'000);
  stream.text(R"({"type": "CloseStream"})");
  EXPECT_EQ(stream.all<live::Finish>().size(), 1U);
  stream.bytes(32'000);
  EXPECT_EQ(stream.all<live::Sound>().size(), 1U) << "what comes behind is not heard";
  stream.tell(turn(0, 1, {said(" Bye.", 0, 1)}, TurnCause::end));
  stream.take(stream.adapter.tell_end(0));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(transcript_of(news[0]), "Bye.");
  EXPECT_EQ(news[1], json::parse(R"({"type": "Metadata", "transaction_key": "deprecated",
    "request_id": "request", "sha256": "", "created": "2026-11-22T16:00:00.000Z", "duration": 1.0,
    "channels": 1})"));
  const auto closed = stream.all<live::Close>();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].code, 1000);
}

TEST(DeepgramStream, WithoutAnEncodingItIsAFileFormat) {
  auto setup = setup_with({});
  setup.settings = read_listen_query({}, ListenKind::socket).value();
  Stream stream(std::move(setup));
  EXPECT_EQ(stream.all<live::Open>().size(), 1U) << "its channels are mixed";
  stream.bytes(3);
  const auto encoded = stream.all<live::Encoded>();
  ASSERT_EQ(encoded.size(), 1U);
  EXPECT_EQ(encoded[0].bytes, "xxx");
  stream.text(R"({"type": "CloseStream"})");
  stream.tell(turn(0, 1.5, {said(" Bye.", 0, 1)}, TurnCause::end));
  stream.take(stream.adapter.tell_end(0));
  EXPECT_EQ(stream.news().back()["duration"], 1.5);
}

TEST(DeepgramStream, WhatCannotBeDecodedIsTheClientsMistake) {
  Stream stream;
  stream.take(stream.adapter.tell_undecodable(0, {"unsupported_format", "It is none", "Send it."}));
  EXPECT_EQ(stream.news().at(0)["description"],
            "It is none. Send it. Leave out the parameters encoding and sample_rate: files "
            "contain them.");
  const auto closed = stream.all<live::Close>();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].code, 1008);
  auto setup = setup_with({});
  setup.settings.raw.reset();
  Stream file(std::move(setup));
  file.take(file.adapter.tell_undecodable(0, {"unsupported_format", "It is none", "Send it."}));
  EXPECT_EQ(file.news().at(0)["description"],
            "It is none. Send it. Raw audio needs the parameters encoding and sample_rate.");
}

TEST(DeepgramStream, AnEmptyFrameIsCloseStream) {
  Stream stream;
  stream.bytes(0);
  EXPECT_EQ(stream.all<live::Finish>().size(), 1U);
}

TEST(DeepgramStream, WhereTheServerEndsItTheServerClosesIt) {
  Stream stream;
  stream.take(stream.adapter.tell_shutdown());
  stream.take(stream.adapter.tell_end(0));
  EXPECT_EQ(stream.news().back()["type"], "Metadata");
  EXPECT_TRUE(stream.all<live::Close>().empty());
}

TEST(DeepgramStream, WhoMayHaveNoMoreSoundIsToldBeforeTheMetadata) {
  Stream stream;
  stream.take(stream.adapter.tell_limit({"too_much_sound", "It is used up", "Wait."}));
  stream.take(stream.adapter.tell_end(0));
  const auto news = stream.news();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[0]["type"], "Error");
  EXPECT_EQ(news[0]["variant"], "TooManyRequests");
  EXPECT_EQ(news[0]["description"], "It is used up. Wait.");
  EXPECT_EQ(news[1]["type"], "Metadata");
  EXPECT_TRUE(stream.all<live::Close>().empty()) << "the server says why it closes";
}

TEST(DeepgramStream, EachChannelIsASession) {
  Stream stream(Query{{"channels", "2"}, {"multichannel", "true"}});
  EXPECT_EQ(stream.all<live::Open>().size(), 2U);
  stream.bytes(8);
  const auto sounds = stream.all<live::Sound>();
  ASSERT_EQ(sounds.size(), 2U);
  EXPECT_EQ(sounds[0].channel, 0);
  EXPECT_EQ(sounds[1].channel, 1);
  EXPECT_EQ(sounds[1].session, 1);
  stream.tell(turn(0, 1, {said(" Two.", 0, 1)}), 1);
  EXPECT_EQ(stream.news()[0]["channel_index"], json::array({1, 2}));
  stream.text(R"({"type": "Finalize", "channel": 1})");
  ASSERT_EQ(stream.all<live::Commit>().size(), 1U);
  EXPECT_EQ(stream.all<live::Commit>()[0].session, 1);
  stream.take(stream.adapter.tell_end(0));
  EXPECT_TRUE(stream.news().empty()) << "the other one goes on";
  stream.take(stream.adapter.tell_end(1));
  EXPECT_EQ(stream.news()[0]["channels"], 2);
}

TEST(DeepgramStream, ChannelsOfOneResultAreMixed) {
  Stream stream(Query{{"channels", "2"}});
  stream.bytes(8);
  ASSERT_EQ(stream.all<live::Sound>().size(), 1U);
  EXPECT_EQ(stream.all<live::Sound>()[0].channel, -1);
}

TEST(DeepgramStream, SamplesMayBeCutAnywhere) {
  Stream stream(Query{{"channels", "2"}});
  for (const std::size_t count : {3, 3, 1, 1}) stream.bytes(count);
  std::size_t bytes = 0;
  for (const auto& sound : stream.all<live::Sound>()) {
    EXPECT_EQ(sound.bytes.size() % 4, 0U);
    bytes += sound.bytes.size();
  }
  EXPECT_EQ(bytes, 8U);
}

TEST(DeepgramStream, AConfiguredListOfTermsHoldsFromNowOn) {
  Stream stream;
  stream.text(R"({"type": "Configure", "keyterms": ["PBX", "Asterisk"]})");
  ASSERT_EQ(stream.all<live::Configure>().size(), 1U);
  EXPECT_EQ(stream.all<live::Configure>()[0].settings.hotwords, "PBX, Asterisk");
  EXPECT_EQ(stream.news()[0], json::parse(R"({"type": "ConfigureSuccess", "request_id": "request",
                                              "keyterms": ["PBX", "Asterisk"]})"));
  stream.text(json{{"type", "Configure"},
                   {"keyterms", json::array({std::string(most_keyterm_bytes + 1, 'a')})}}
                  .dump());
  EXPECT_EQ(stream.news()[0]["type"], "ConfigureFailure");
  EXPECT_EQ(stream.all<live::Configure>().size(), 1U);
}

TEST(DeepgramStream, WhatItDoesNotUnderstandIsAnErrorAndTheStreamGoesOn) {
  Stream stream;
  for (const char* text :
       {"hello", "[]", "{}", R"({"type": 7})", R"({"type": "Fly"})",
        R"({"type": "Finalize", "channel": 1})", R"({"type": "Configure", "keyterms": "PBX"})"}) {
    stream.text(text);
    const auto news = stream.news();
    ASSERT_EQ(news.size(), 1U) << text;
    EXPECT_EQ(news[0]["type"], "Error") << text;
    EXPECT_EQ(news[0]["variant"], "SchemaError") << text;
    EXPECT_FALSE(news[0]["description"].get<std::string>().empty());
  }
  stream.bytes(2);
  EXPECT_EQ(stream.all<live::Sound>().size(), 1U);
}

TEST(DeepgramStream, AFailureIsToldAndEndsTheStream) {
  Stream stream;
  stream.take(stream.adapter.tell_failure(0, {"worker_died", "The worker has died.", ""}));
  EXPECT_EQ(stream.news()[0]["description"], "The worker has died.");
  EXPECT_EQ(stream.all<live::Close>()[0].code, 1011);
  stream.take(stream.adapter.tell_end(0));
  EXPECT_TRUE(stream.news().empty());
}

TEST(DeepgramStream, ASilentClientIsToldWhyItIsClosed) {
  Stream stream;
  stream.text(R"({"type": "KeepAlive"})");
  stream.take(stream.adapter.tick(59));
  EXPECT_TRUE(stream.all<live::Close>().empty());
  stream.take(stream.adapter.tick(60));
  const auto closed = stream.all<live::Close>();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].code, 1011);
  EXPECT_TRUE(closed[0].reason.starts_with("NET-0001"));
}

}  // namespace
}  // namespace protocol::deepgram
