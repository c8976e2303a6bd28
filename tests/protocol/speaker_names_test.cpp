#include "protocol/speaker_names.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

TEST(SpeakerName, MayBeAnyTextThatStandsInALine) {
  for (const std::string name :
       {"Anna", "B", "Dr. Müller-Lüdenscheidt", "李 明", "Anna: née <B>",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001f469\u200d\U0001f52c"}) {
    EXPECT_TRUE(check_speaker_name(name)) << name;
  }
  EXPECT_TRUE(check_speaker_name(std::string(max_speaker_name_bytes, 'x')));
}

TEST(SpeakerName, IsRefusedWhereItWouldEndItsLineOrHideWhatFollows) {
  const std::vector<std::string> bad{"",
                                     " ",
                                     "Anna ",
                                     "\u00a0Anna",
                                     "Anna\nBob",
                                     "Anna\tLee",
                                     std::string("An\0na", 5),
                                     "An\x7fna",
                                     "An\u0085na",
                                     "An\u2028na",
                                     "An\u202ena",
                                     "An\u2066na",
                                     "An\u200bna",
                                     "An\u200dna",
                                     "\u200f\u05d0",
                                     "\ufeffAnna",
                                     "An\u00adna",
                                     "\u3164",
                                     "Anna\U000e0041",
                                     std::string(max_speaker_name_bytes + 1, 'x')};
  for (const auto& name : bad) {
    const auto fine = check_speaker_name(name);
    ASSERT_FALSE(fine) << name;
    EXPECT_EQ(fine.error().code, bad_speaker_name);
    EXPECT_FALSE(fine.error().fix.empty());
  }
  for (const std::string name : {"M\xfcller", "An\xd2\x0bna", "An\xc0\x80", "An\xed\xa0\x80",
                                 "An\xf4\x90\x80\x80", "An\xe2\x80"}) {
    const auto fine = check_speaker_name(name);
    ASSERT_FALSE(fine) << name;
    EXPECT_EQ(fine.error().message, "A speaker's name is no valid UTF-8.");
  }
  EXPECT_NE(check_speaker_name("An\u200bna").error().message.find("U+200B"), std::string::npos);
  EXPECT_NE(check_speaker_name(bad.back()).error().message.find("256 bytes"), std::string::npos);
}

TEST(SpeakerNames, StandForLabelsAndLeaveOthersAsTheyAre) {
  const SpeakerNames names{{"A", "Anna"}};
  EXPECT_EQ(called(names, "A"), "Anna");
  EXPECT_EQ(called(names, "B"), "B");
  EXPECT_EQ(called(names, ""), "");
}

TEST(SpeakerNames, AreGivenToTurns) {
  const std::vector<SpeakerTurn> turns{{0, 2, "A"}, {1, 3, "B"}, {4, 5, "A"}};
  EXPECT_EQ(named_turns(turns, {}), turns);
  const std::vector<SpeakerTurn> named{{0, 2, "Anna"}, {1, 3, "B"}, {4, 5, "Anna"}};
  EXPECT_EQ(named_turns(turns, {{"A", "Anna"}}), named);
}

TEST(SpeakerNames, MakeOnePersonOfTwoLabelsWithOneName) {
  const SpeakerNames names{{"A", "Anna"}, {"C", "Anna"}};
  const std::vector<SpeakerTurn> turns{{0, 2, "A"},   {1, 3, "C"}, {1.5, 4, "B"},
                                       {3, 3.5, "A"}, {6, 7, "C"}, {7.5, 8, "A"}};
  const std::vector<SpeakerTurn> named{
      {0, 3.5, "Anna"}, {1.5, 4, "B"}, {6, 7, "Anna"}, {7.5, 8, "Anna"}};
  EXPECT_EQ(named_turns(turns, names), named);
  const std::vector<SpeakerTurn> channels{{0, 2, "Anna", 0}, {1, 3, "Anna", 1}};
  EXPECT_EQ(named_turns({{0, 2, "A", 0}, {1, 3, "C", 1}}, names), channels) << "of two channels";
  // A label can be another speaker's name as well.
  const std::vector<SpeakerTurn> swapped{{0, 2, "B"}, {1, 3, "A"}};
  EXPECT_EQ(named_turns({{0, 2, "A"}, {1, 3, "B"}}, {{"A", "B"}, {"B", "A"}}), swapped);
}

TEST(SpeakerNames, AreFew) {
  SpeakerNames names;
  for (std::size_t i = 0; i < max_speaker_names; ++i) names[std::to_string(i)] = "x";
  EXPECT_TRUE(check_speaker_names(names));
  names["one more"] = "x";
  EXPECT_EQ(check_speaker_names(names).error().code, bad_speaker_name);
  SpeakerNames long_ones;
  for (int i = 0; i < 60; ++i) long_ones[std::to_string(i)] = std::string(255, 'x');
  EXPECT_TRUE(check_speaker_names(long_ones));
  for (int i = 60; i < 70; ++i) long_ones[std::to_string(i)] = std::string(255, 'x');
  EXPECT_FALSE(check_speaker_names(long_ones));
}

}  // namespace
}  // namespace protocol
