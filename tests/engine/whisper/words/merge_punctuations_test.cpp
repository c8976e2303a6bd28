#include "engine/whisper/words/merge_punctuations.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/words/made_up_words.h"

namespace engine {
namespace {

using Texts = std::vector<std::string>;

struct MergeCase {
  const char* what;
  Texts before;
  Texts after;
};

TEST(MergePunctuations, MovesSignsToTheWordTheyBelongTo) {
  const MergeCase cases[] = {
      {"nothing", {}, {}},
      {"a lone sign stays", {" ("}, {" ("}},
      {"words stay", {" one", " two"}, {" one", " two"}},
      {"an opening sign goes to the next word", {" one", " (", "two"}, {" one", "", " (two"}},
      {"several opening signs", {" \"", " (", "two"}, {"", "", " \" (two"}},
      {"an opening sign without a space stays", {" one", "(", "two"}, {" one", "(", "two"}},
      {"white space after the sign does not matter", {" (\u3000", "two"}, {"", " (\u3000two"}},
      {"a space alone counts as an opening sign", {" ", "two"}, {"", " two"}},
      {"an opening sign at the end stays", {" one", " ("}, {" one", " ("}},
      {"a closing sign goes to the word before", {" one", ".", " two"}, {" one.", "", " two"}},
      {"several closing signs", {" one", ".", "\"", ")"}, {" one.\")", "", "", ""}},
      {"a closing sign after a space stays", {"one ", "."}, {"one ", "."}},
      {"a closing sign with a space stays", {" one", " ."}, {" one", " ."}},
      {"wide signs", {"今日", "。", "“"}, {"今日。", "", "“"}},
      {"neighbours in the list count together", {" one", "?？"}, {" one?？", ""}},
      {"others do not", {" one", "?!"}, {" one", "?!"}},
      {"both around a word", {" (", "one", ")"}, {"", " (one)", ""}},
      {"an opening sign between two words is not in the way",
       {" one", " (", "two", ")"},
       {" one", "", " (two)", ""}},
  };
  for (const MergeCase& c : cases) {
    std::vector<AlignedWord> words;
    for (const auto& text : c.before) words.push_back(made_up_word(text, 0, 1));
    merge_punctuations(words, {});
    EXPECT_EQ(texts(words), c.after) << c.what;
  }
}

TEST(MergePunctuations, MovesTokensWithTheTextAndLeavesTimes) {
  std::vector<AlignedWord> words{
      {{0, 1, " (", 0.5}, {1}}, {{1, 2, "one", 0.6}, {2, 3}}, {{2, 3, ")", 0.7}, {4}}};
  merge_punctuations(words, {});
  EXPECT_EQ(words[0].tokens, std::vector<int>{});
  EXPECT_EQ(words[1].tokens, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(words[2].tokens, std::vector<int>{});
  EXPECT_EQ(words[1].start, 1);
  EXPECT_EQ(words[1].end, 2);
  EXPECT_EQ(words[1].probability, 0.6);
}

TEST(MergePunctuations, TakesOtherSigns) {
  std::vector<AlignedWord> words{made_up_word(" one", 0, 1), made_up_word("~", 1, 2),
                                 made_up_word(".", 2, 3)};
  merge_punctuations(words, {.prepended = "", .appended = "~"});
  EXPECT_EQ(texts(words), (Texts{" one~", "", "."}));
}

}  // namespace
}  // namespace engine
