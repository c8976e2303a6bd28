#include "protocol/subtitles/atoms.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

Segment of_words(std::vector<Word> words) {
  Segment segment;
  segment.start = words.front().start;
  segment.end = words.back().end;
  segment.words = std::move(words);
  return segment;
}

Segment of_text(double start, double end, std::string text) {
  return {.start = start, .end = end, .text = std::move(text)};
}

std::vector<std::string> atom_texts(const std::vector<Atom>& atoms) {
  std::vector<std::string> texts;
  for (const Atom& atom : atoms) texts.push_back(atom.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Atoms, AreWordsWithTheirTimes) {
  const std::vector segments{of_words({{1, 2, " Hello,", 1}, {2.5, 3, " there.", 1}})};
  EXPECT_EQ(
      atoms_of(segments, "en", {}),
      (std::vector<Atom>{{.text = "Hello,", .has_space = true, .columns = 6, .start = 1, .end = 2},
                         {.text = "there.", .columns = 6, .start = 2.5, .end = 3}}));
}

TEST(Atoms, GoOnAcrossTokensThatAreNoWords) {
  const std::vector segments{of_words({{0, 1, " twenty", 1}, {1, 2, "one", 1}, {2, 3, ".", 1}})};
  const auto atoms = atoms_of(segments, "en", {});
  ASSERT_EQ(atom_texts(atoms), (Texts{"twentyone."}));
  EXPECT_EQ(atoms[0].end, 3);
}

TEST(Atoms, OfScriptsWithoutSpacesDoNotBeginWithClosingSigns) {
  const std::vector segments{of_text(0, 6, "今日は、「良い」天気です。")};
  for (const Atom& atom : atoms_of(segments, "ja", {})) {
    for (const char* sign : {"、", "」", "。"})
      EXPECT_FALSE(atom.text.starts_with(sign)) << atom.text;
    EXPECT_FALSE(atom.text.ends_with("「")) << atom.text;
  }
}

TEST(Atoms, OfThaiAreItsWords) {
  const auto atoms = atoms_of(std::vector{of_text(0, 2, "สวัสดีครับ")}, "th", {});
  EXPECT_EQ(atom_texts(atoms), (Texts{"สวัสดี", "ครับ"}));
  EXPECT_EQ(atoms[0].columns, 4);  // two of six characters are marks above the letters
}

TEST(Atoms, WithinAChineseWordSaySo) {
  const auto atoms = atoms_of(std::vector{of_text(0, 2, "今天的会议")}, "zh", {});
  ASSERT_EQ(atom_texts(atoms), (Texts{"今", "天", "的", "会", "议"}));
  EXPECT_FALSE(atoms[0].ends_word);
  EXPECT_TRUE(atoms[1].ends_word);
}

TEST(Atoms, ThatAreTooWideAreCutBetweenLetters) {
  const auto atoms = atoms_of(std::vector{of_text(0, 9, std::string(100, 'x'))}, "en", {});
  ASSERT_EQ(atoms.size(), 3u);
  EXPECT_EQ(atoms[0].columns, 42);
  EXPECT_EQ(atoms[2].columns, 16);
}

TEST(Atoms, OfASegmentWithoutWordsShareItsTime) {
  const auto atoms = atoms_of(std::vector{of_text(2, 4, " abcd efgh")}, "en", {});
  ASSERT_EQ(atoms.size(), 2u);
  EXPECT_EQ(atoms[0].start, 2);
  EXPECT_GT(atoms[1].start, 2.8);
  EXPECT_LE(atoms[1].end, 4);
}

TEST(Atoms, HaveTimesInOrderWhateverTheWordsSay) {
  const std::vector segments{of_words({{3, 2, " a", 1}, {1, 1, " b", 1}, {-1, 0, " c", 1}})};
  double last = 0;
  for (const Atom& atom : atoms_of(segments, "en", {})) {
    EXPECT_GE(atom.start, last);
    EXPECT_GE(atom.end, atom.start);
    last = atom.end;
  }
}

TEST(Columns, AreTwoForWideCharactersAndNoneForMarks) {
  EXPECT_EQ(columns_of("abc"), 3);
  EXPECT_EQ(columns_of("今日"), 4);
  EXPECT_EQ(columns_of("e\u0301"), 1);
  EXPECT_EQ(columns_of("\xff"), 1);
  EXPECT_TRUE(is_wide("今日a"));
  EXPECT_FALSE(is_wide("abc今"));
}

}  // namespace
}  // namespace protocol::subtitles
