#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/whisper/text/vocabulary_file.h"
#include "tests/engine/whisper/text/test_vocabulary.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

TEST(Vocabulary, ReadsTiktokenLines) {
  EXPECT_EQ(parse_tiktoken("IQ== 0\nYWI= 2\r\n= 1\n")->tokens, (Tokens{"!", "", "ab"}));
}

TEST(Vocabulary, ReadsPlainLinesWithAnEmptyToken) {
  EXPECT_EQ(parse_token_lines("!\n\nĠthe\nĊ\nÃ©\n")->tokens,
            (Tokens{"!", "", " the", "\n", "\xC3\xA9"}));
}

TEST(Vocabulary, ReadsEveryShapeOfJson) {
  const Tokens expected = {"!", " a"};
  EXPECT_EQ(parse_token_json(R"(["!", "Ġa"])")->tokens, expected);
  EXPECT_EQ(parse_token_json(R"({"Ġa": 1, "!": 0})")->tokens, expected);
  EXPECT_EQ(parse_token_json(R"({"model": {"vocab": {"Ġa": 1, "!": 0}}})")->tokens, expected);
}

TEST(Vocabulary, DamageIsNamed) {
  const std::pair<Result<Vocabulary>, const char*> cases[] = {
      {parse_tiktoken("IQ== 0\nI! 1\n"), "token 1 is not spelled"},
      {parse_tiktoken("IQ== 0\nIg=\n"), "line 2"},
      {parse_tiktoken("IQ== x\n"), "line 1"},
      {parse_tiktoken("IQ== 0\nIg== 0\n"), "token 0 is there twice"},
      {parse_tiktoken("IQ== 0\nIg== 2\n"), "token 1 is missing"},
      {parse_tiktoken("IQ== -1\n"), "outside"},
      {parse_tiktoken("IQ== 99999999999\n"), "outside"},
      {parse_token_lines("a\n\xE2\x82\xAC\n"), "token 1 is not spelled"},
      {parse_token_json("{"), "not valid JSON"},
      {parse_token_json("3"), "neither"},
      {parse_token_json("[3]"), "not a string"},
      {parse_token_json(R"({"a": "b"})"), "has no number"},
      {parse_token_json(R"({"model": {}})"), "model.vocab"},
  };
  for (const auto& [tokens, part] : cases) {
    ASSERT_FALSE(tokens) << part;
    EXPECT_EQ(tokens.error().code, Errc::damaged_vocabulary);
    EXPECT_NE(tokens.error().message.find(part), std::string::npos) << tokens.error().message;
  }
}

TEST(Vocabulary, ValuesAreCountedBeforeTheyAreMade) {
  std::string json = "[0";
  for (int i = 0; i < 1 << 20; ++i) json += ",0";
  EXPECT_NE(parse_token_json(json + "]").error().message.find("more than 1048576 values"),
            std::string::npos);
  EXPECT_NE(
      parse_token_json(std::string(65, '[') + std::string(65, ']')).error().message.find("deep"),
      std::string::npos);
}

std::vector<TokenKind> kinds_of(const Result<Vocabulary>& vocabulary) {
  return vocabulary->kinds;
}

TEST(Vocabulary, TellsTextFromWhatIsSpecialAndFromWhatWasAdded) {
  using enum TokenKind;
  const auto tokenizer = parse_token_json(
      R"({"model": {"vocab": {"Ġa": 0, "<|endoftext|>": 1}}, "added_tokens": [
          {"id": 1, "content": "<|endoftext|>", "special": true},
          {"id": 2, "content": "<|0.00|>", "special": false},
          {"id": 3, "content": "a ß", "special": false},
          {"id": 5, "content": "[mark]", "special": true}]})");
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->tokens, (Tokens{" a", "<|endoftext|>", "<|0.00|>", "a ß", "", "[mark]"}));
  EXPECT_EQ(kinds_of(tokenizer), (std::vector{text, special, special, added, none, special}));
  EXPECT_EQ(kinds_of(parse_token_lines("a\n<|endoftext|>\n<|en|>\na b\n")),
            (std::vector{text, special, special, added}));
}

// CTranslate2's converter gives the rows that no token has the names of timestamps again.
TEST(Vocabulary, ANameThatIsTwiceInAListIsPadding) {
  using enum TokenKind;
  const auto list = parse_token_json(R"(["a", "<|endoftext|>", "<|0.00|>", "<|x|>", "<|0.00|>"])");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(kinds_of(list), (std::vector{text, special, special, special, none}));
}

TEST(Vocabulary, AddedTokensMustFitTheOthers) {
  for (const auto& [list, part] : {std::pair{R"([{"id": 0, "content": "b"}])", "'a' and 'b'"},
                                   {R"([{"id": 4}])", "no content"},
                                   {R"([{"id": -1, "content": "b"}])", "outside"}}) {
    const auto json =
        std::string(R"({"model": {"vocab": {"a": 0}}, "added_tokens": )") + list + "}";
    const auto vocabulary = parse_token_json(json);
    ASSERT_FALSE(vocabulary) << list;
    EXPECT_NE(vocabulary.error().message.find(part), std::string::npos)
        << vocabulary.error().message;
  }
}

TEST(Vocabulary, TextMustDifferAndHaveEveryByte) {
  EXPECT_TRUE(check_text(vocabulary_of(test_tokens(300))));
  Tokens twice = test_tokens(300);
  twice[299] = "hello";
  EXPECT_NE(check_text(vocabulary_of(twice)).error().message.find("copy"), std::string::npos);
  Tokens lacking = test_tokens(300);
  lacking['x'] = "instead of x";
  EXPECT_NE(check_text(vocabulary_of(lacking)).error().message.find("byte 120"), std::string::npos);
}

class VocabularyFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "vocabulary-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const char* name, const char* text) { std::ofstream(folder_ / name) << text; }

  fs::path folder_;
};

TEST_F(VocabularyFolder, WithoutVocabularyIsAnErrorThatNamesIt) {
  const auto tokens = read_vocabulary(folder_, true);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error().code, Errc::not_found);
  EXPECT_NE(tokens.error().message.find(folder_.string()), std::string::npos);
}

TEST_F(VocabularyFolder, TakesTheTiktokenFileOfTheLanguageKind) {
  write("multilingual.tiktoken", "IQ== 0\n");
  write("gpt2.tiktoken", "Ig== 0\n");
  EXPECT_EQ(read_vocabulary(folder_, true)->tokens, Tokens{"!"});
  EXPECT_EQ(read_vocabulary(folder_, false)->tokens, Tokens{"\""});
}

TEST_F(VocabularyFolder, TakesWhatWasAddedBesideAVocabularyOfText) {
  write("vocab.json", R"({"!": 0, "<|endoftext|>": 1})");
  write("added_tokens.json", R"({"<|en|>": 3, "word": 4})");
  const auto vocabulary = read_vocabulary(folder_, true);
  ASSERT_TRUE(vocabulary) << vocabulary.error().message;
  EXPECT_EQ(vocabulary->tokens, (Tokens{"!", "<|endoftext|>", "", "<|en|>", "word"}));
  EXPECT_EQ(vocabulary->kinds[3], TokenKind::special);
  EXPECT_EQ(vocabulary->kinds[4], TokenKind::added);
  write("added_tokens.json", "[");
  EXPECT_NE(read_vocabulary(folder_, true).error().message.find("added_tokens.json"),
            std::string::npos);
}

TEST_F(VocabularyFolder, DamageNamesTheFile) {
  write("tokenizer.json", "{");
  EXPECT_NE(read_vocabulary(folder_, true).error().message.find("tokenizer.json"),
            std::string::npos);
}

TEST_F(VocabularyFolder, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_ / "vocabulary.txt").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder_ / "a.tiktoken").c_str(), 0600), 0);
  EXPECT_EQ(read_vocabulary(folder_, true).error().code, Errc::not_found);
  EXPECT_EQ(read_vocabulary(folder_ / "a.tiktoken", true).error().code, Errc::unreadable);
  write("vocab.json", R"(["!"])");
  EXPECT_EQ(read_vocabulary(folder_, true)->tokens, Tokens{"!"});
}

TEST_F(VocabularyFolder, OtherKindsOfFilesAreUnknown) {
  write("vocabulary.bin", "");
  EXPECT_EQ(read_vocabulary(folder_ / "vocabulary.bin", true).error().code, Errc::unknown_format);
  EXPECT_EQ(read_vocabulary(folder_ / "none.txt", true).error().code, Errc::not_found);
}

}  // namespace
}  // namespace engine
