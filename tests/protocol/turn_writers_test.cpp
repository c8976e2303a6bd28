#include "protocol/turn_writers.h"

#include <gtest/gtest.h>

#include "protocol/speakers.h"
#include "protocol/transcript_json.h"
#include "protocol/writers.h"

namespace protocol {
namespace {

Transcript two_speakers() {
  Transcript transcript;
  transcript.turns = {{0.0309, 2.1071, "A"}, {1.5, 3, "B"}, {4, 5.25, "A"}};
  transcript.duration = 6.12345;
  return transcript;
}

std::string written(const char* format, const char* recording = "talk") {
  return make_turn_writer(format, recording).value()->finish(two_speakers());
}

TEST(TurnWriters, WriteALineForEachTurn) {
  EXPECT_EQ(written("txt"),
            "    0.031     2.107  A\n"
            "    1.500     3.000  B\n"
            "    4.000     5.250  A\n");
}

TEST(TurnWriters, WriteRttmWithTheDurationOfEachTurn) {
  EXPECT_EQ(written("rttm"),
            "SPEAKER talk 1 0.031 2.076 <NA> <NA> A <NA> <NA>\n"
            "SPEAKER talk 1 1.500 1.500 <NA> <NA> B <NA> <NA>\n"
            "SPEAKER talk 1 4.000 1.250 <NA> <NA> A <NA> <NA>\n");
}

TEST(TurnWriters, PutNoWhiteSpaceIntoAFieldOfRttm) {
  const std::string rttm = write_rttm(std::vector<SpeakerTurn>{{0, 1, "Ann Lee\n"}}, "my talk");
  EXPECT_EQ(rttm, "SPEAKER my_talk 1 0.000 1.000 <NA> <NA> Ann_Lee_ <NA> <NA>\n");
  EXPECT_EQ(write_rttm(std::vector<SpeakerTurn>{{0, 1, "A"}}, "").substr(0, 18),
            "SPEAKER recording ");
  const std::string wide =
      write_rttm(std::vector<SpeakerTurn>{{0, 1, "Ann\u00a0Lee\u3000M\u00fcller"}},
                 "a\x01"
                 "b");
  EXPECT_EQ(wide, "SPEAKER a_b 1 0.000 1.000 <NA> <NA> Ann_Lee_M\u00fcller <NA> <NA>\n");
  // A name that is no UTF-8: the second byte goes on with a character that has not begun.
  const std::string broken = write_rttm(std::vector<SpeakerTurn>{{0, 1, "Ann \x80Lee"}}, "a");
  EXPECT_EQ(broken, "SPEAKER a 1 0.000 1.000 <NA> <NA> Ann_\x80Lee <NA> <NA>\n");
}

TEST(TurnWriters, NameTheChannelWhereItIsKnown) {
  const std::vector<SpeakerTurn> turns{{0, 1, "A", 0}, {1, 2, "B", 1}};
  EXPECT_EQ(write_rttm(turns, "call"),
            "SPEAKER call 1 0.000 1.000 <NA> <NA> A <NA> <NA>\n"
            "SPEAKER call 2 1.000 1.000 <NA> <NA> B <NA> <NA>\n");
  EXPECT_EQ(turns_json(turns)[1]["channel"], 1);
}

TEST(TurnWriters, AreFormatsOfATranscriptToo) {
  EXPECT_EQ(write_transcript("rttm", two_speakers(), {.recording = "talk"}).value(),
            written("rttm"));
  EXPECT_EQ(write_transcript("rttm", {}).value(), "") << "nobody speaks";
}

TEST(TurnWriters, WriteJsonWithTheSecondsOfEachSpeaker) {
  const auto json = nlohmann::json::parse(written("json"));
  EXPECT_EQ(json["duration"], 6.123);
  EXPECT_EQ(json["speakers"],
            nlohmann::json::parse(R"([{"id":"A","seconds":3.326},{"id":"B","seconds":1.5}])"));
  EXPECT_EQ(json["turns"][1], nlohmann::json::parse(R"({"start":1.5,"end":3.0,"speaker":"B"})"));
}

TEST(TurnWriters, KnowTheirFormats) {
  for (const auto format : turn_formats()) EXPECT_TRUE(make_turn_writer(format, "x")) << format;
  EXPECT_EQ(make_turn_writer("srt", "x").error().code, unknown_format);
}

TEST(SpeakerLabels, AreLettersInTheOrderOfAppearance) {
  EXPECT_EQ(speaker_label(0), "A");
  EXPECT_EQ(speaker_label(25), "Z");
  EXPECT_EQ(speaker_label(26), "AA");
  EXPECT_EQ(speaker_label(27), "AB");
  EXPECT_EQ(speaker_label(51), "AZ");
  EXPECT_EQ(speaker_label(52), "BA");
}

TEST(TranscriptWithTurns, ComesBackFromItsJsonAndNamesTheSpeakersOfWords) {
  Transcript transcript = two_speakers();
  transcript.turns[0] = {0.5, 2, "A"};
  transcript.duration = 6;
  transcript.segments = {{.text = " Hi.", .words = {{0.5, 1, " Hi.", 0.5}}, .speaker = "A"}};
  const auto json = to_json(transcript);
  EXPECT_EQ(json["segments"][0]["words"][0]["speaker"], "A");
  EXPECT_EQ(json["speakers"].size(), 2U);
  const auto read = parse_transcript(json.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, transcript);
}

}  // namespace
}  // namespace protocol
