#include "protocol/subtitles/cue_breaks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace protocol::subtitles {
namespace {

// A text that is said evenly, 15 columns a second.
std::vector<Atom> said_evenly(const std::string& text, const std::string& language = "en",
                              double columns_per_s = 15) {
  const Segment segment{.start = 0, .end = columns_of(text) / columns_per_s, .text = text};
  return atoms_of(std::span(&segment, 1), language, {});
}

// Returns each cue as "upper / lower".
std::vector<std::string> broken(const std::vector<Atom>& all, const std::string& language = "en") {
  const std::span<const Atom> atoms = all;
  std::vector<std::string> cues;
  for (const auto& [begin, second, end] : break_into_cues(atoms, language, {})) {
    std::string cue = line_of(atoms.subspan(begin, second - begin));
    if (second < end) cue += " / " + line_of(atoms.subspan(second, end - second));
    cues.push_back(cue);
  }
  return cues;
}

using Cues = std::vector<std::string>;

TEST(CueBreaks, LeaveAShortSentenceInOneLine) {
  EXPECT_EQ(broken(said_evenly("This is what a crocodile sounds like.")),
            (Cues{"This is what a crocodile sounds like."}));
}

TEST(CueBreaks, AreAtTheEndsOfSentences) {
  EXPECT_EQ(broken(said_evenly("The meeting was moved to the end of next week. Please tell "
                               "everybody who wanted to come on Monday.")),
            (Cues{"The meeting was moved / to the end of next week.",
                  "Please tell everybody / who wanted to come on Monday."}));
}

TEST(CueBreaks, PreferPunctuationToOtherWords) {
  EXPECT_EQ(broken(said_evenly("When the long rain ended, all of them went outside again.")),
            (Cues{"When the long rain ended, / all of them went outside again."}));
}

TEST(CueBreaks, NeverSplitAnArticleFromItsNoun) {
  // The middle of the text is behind "the".
  EXPECT_EQ(broken(said_evenly("Yesterday my neighbor showed the photographer everything.")),
            (Cues{"Yesterday my neighbor showed / the photographer everything."}));
  EXPECT_EQ(
      broken(said_evenly("Gestern zeigte mir mein Nachbar die Fotografien seiner Reise.", "de"),
             "de"),
      (Cues{"Gestern zeigte mir mein Nachbar / die Fotografien seiner Reise."}));
}

TEST(CueBreaks, AreNotBehindAbbreviations) {
  EXPECT_EQ(broken(said_evenly("Yesterday the patient was seen in the clinic by Dr. Smith and he "
                               "moved to ward No. 5 in the afternoon.")),
            (Cues{"Yesterday the patient was seen / in the clinic by Dr. Smith and he moved",
                  "to ward No. 5 in the afternoon."}));
  EXPECT_EQ(
      broken(said_evenly("Wir treffen uns am 3. Mai mit Herrn Dr. Müller und besprechen z. B. "
                         "die Rechnung vom 24. Dezember.",
                         "de"),
             "de"),
      (Cues{"Wir treffen uns am 3. Mai",
            "mit Herrn Dr. Müller und besprechen / z. B. die Rechnung vom 24. Dezember."}));
}

TEST(CueBreaks, KeepEachLineWithinItsWidth) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += i % 7 == 0 ? "the " : "somewhat ";
  for (const std::string& cue : broken(said_evenly(text))) {
    const auto middle = std::min(cue.find(" / "), cue.size());
    EXPECT_LE(columns_of(cue.substr(0, middle)), 42) << cue;
    EXPECT_LE(columns_of(cue.substr(middle)), 42 + 3) << cue;
  }
}

TEST(CueBreaks, GiveWideTextNarrowerLines) {
  const auto cues =
      broken(said_evenly("昨日は友達と一緒に新しいレストランに行きましたが、とても混んでいたので、"
                         "別の店で食べることにしました。",
                         "ja", 8),
             "ja");
  EXPECT_EQ(cues, (Cues{"昨日は友達と一緒に新しい / レストランに行きましたが、",
                        "とても混んでいたので、 / 別の店で食べることにしました。"}));
}

TEST(CueBreaks, KeepEachCueWithinSevenSeconds) {
  const auto atoms = said_evenly("one two three four five six seven eight nine ten", "en", 4);
  for (const auto& [begin, second, end] : break_into_cues(atoms, "en", {})) {
    EXPECT_LE(atoms[end - 1].end - atoms[begin].start, 7);
  }
}

TEST(CueBreaks, AreInLongPauses) {
  std::vector<Atom> atoms = said_evenly("Yes. Well");
  atoms[1].start += 3;
  atoms[1].end += 3;
  EXPECT_EQ(broken(atoms), (Cues{"Yes.", "Well"}));
}

TEST(CueBreaks, DivideATextWithoutWidthInBoundedTime) {
  // Each cue is looked for among a hundred atoms, so that the work grows with the text alone.
  std::vector<Atom> atoms(20'000, Atom{.text = "\u2060", .has_space = false});
  EXPECT_EQ(break_into_cues(atoms, "en", {}).size(), 200u);
}

TEST(CueBreaks, OfNothingAreNone) {
  EXPECT_TRUE(break_into_cues({}, "en", {}).empty());
}

}  // namespace
}  // namespace protocol::subtitles
