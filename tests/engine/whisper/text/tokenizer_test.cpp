#include "engine/whisper/text/tokenizer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/whisper/text/stream_decoder.h"
#include "engine/whisper/text/word_split.h"
#include "tests/engine/whisper/text/test_vocabulary.h"

namespace engine {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<int>;

Tokenizer made_up(int n_vocab = 51865) {
  return Tokenizer::from_tokens(test_tokens(n_vocab == 51864 ? 50256 : 50257), n_vocab).value();
}

TEST(Tokenizer, EncodesAndDecodes) {
  const Tokenizer tokenizer = made_up();
  const Ids ids = {hello, space_world, '!'};
  EXPECT_EQ(tokenizer.encode("hello world!"), ids);
  EXPECT_EQ(tokenizer.decode(ids), "hello world!");
  EXPECT_EQ(tokenizer.encode(""), Ids{});
}

TEST(Tokenizer, ReadsInvalidUtf8AsReplacementCharacters) {
  const Tokenizer tokenizer = made_up();
  EXPECT_EQ(tokenizer.encode("\xFF"), tokenizer.encode("\xEF\xBF\xBD"));
}

TEST(Tokenizer, DecodesSpecialTokensOnlyWhereAsked) {
  const Tokenizer t = made_up();
  const Ids ids = {t.sot(), 50261, t.timestamp_begin(), hello, t.timestamp_begin() + 60, t.eot()};
  EXPECT_EQ(t.decode(ids), "hello");
  EXPECT_EQ(t.decode_with_specials(ids), "<|startoftranscript|><|de|>hello<|endoftext|>");
  EXPECT_EQ(t.decode_with_timestamps(ids),
            "<|startoftranscript|><|de|><|0.00|>hello<|1.20|><|endoftext|>");
}

TEST(Tokenizer, IgnoresIdsOutsideTheVocabulary) {
  const Tokenizer t = made_up();
  EXPECT_EQ(t.decode_with_timestamps(Ids{-1, 'a', t.n_vocab()}), "a");
  EXPECT_EQ(t.bytes(-1), "");
}

TEST(Tokenizer, SotSequenceHoldsLanguageAndTaskOfMultilingualModels) {
  const Tokenizer t = made_up();
  EXPECT_EQ(t.sot_sequence("de", Task::transcribe).value(), (Ids{50258, 50261, 50359}));
  EXPECT_EQ(t.sot_sequence_including_notimestamps("en", Task::translate).value(),
            (Ids{50258, 50259, 50358, 50363}));
  EXPECT_EQ(made_up(51864).sot_sequence("", Task::transcribe).value(), Ids{50257});
}

TEST(Tokenizer, RefusesALanguageTheModelDoesNotKnow) {
  const auto sequence = made_up(51865).sot_sequence("yue", Task::transcribe);
  ASSERT_FALSE(sequence);
  EXPECT_EQ(sequence.error().code, Errc::invalid_option);
  EXPECT_TRUE(made_up(51866).sot_sequence("yue", Task::transcribe));
}

TEST(Tokenizer, KnowsItsLanguageTokens) {
  const Tokenizer t = made_up(51866);
  EXPECT_EQ(t.languages().size(), 100U);
  EXPECT_EQ(t.language_code(t.sot() + 1), "en");
  EXPECT_EQ(t.language_code(t.languages().back().id), "yue");
  EXPECT_EQ(t.language_code(t.translate()), "");
}

TEST(Tokenizer, RefusesAVocabularyOfTheOtherKind) {
  EXPECT_FALSE(Tokenizer::from_tokens(test_tokens(50256), 51865));
  EXPECT_FALSE(Tokenizer::from_tokens(test_tokens(50257), 51864));
}

// The ids and the text are those that transformers has of it (data/make_fixtures.py).
TEST(Tokenizer, ReadsWhatWasAddedToAVocabulary) {
  const fs::path folder = fs::path(SCRIBED_SOURCE_DIR) / "tests/engine/whisper/text/data/added";
  const auto stated = read_stated_tokens(folder);
  ASSERT_TRUE(stated) << stated.error().message;
  const auto t = Tokenizer::load(folder, 1785, *stated);
  ASSERT_TRUE(t) << t.error().message;
  const Ids ids = {256, 257, 78, 220, 1772};
  EXPECT_EQ(t->encode("hello gr\u00FCezi mitenand"), ids);
  EXPECT_EQ(t->decode(ids), "hello gr\u00FCezi mitenand");
  EXPECT_TRUE(t->is_text(1772));
  EXPECT_EQ(t->decode_with_timestamps(Ids{t->sot(), 1770, 269, 256, 1771}),
            "<|startoftranscript|><|gsw|><|0.00|>he<|mark|>");
  EXPECT_EQ(t->sot_sequence("gsw", Task::transcribe).value(), (Ids{259, 1770, 264}));
  EXPECT_EQ(t->unused().size(), 12U);
  EXPECT_EQ(t->text_end(), 1785);
}

TEST(StreamDecoder, HoldsBackHalfACharacter) {
  const Tokenizer t = made_up();
  StreamDecoder decoder(t);
  EXPECT_EQ(decoder.push(hello), "hello");
  EXPECT_EQ(decoder.push(euro_begin), "");
  EXPECT_EQ(decoder.push(t.timestamp_begin()), "");
  EXPECT_EQ(decoder.push(0xAC), "\xE2\x82\xAC");
  EXPECT_EQ(decoder.push(0xC3), "");
  EXPECT_EQ(decoder.flush(), "\xEF\xBF\xBD");
}

TEST(SplitToWordTokens, CutsAtSpacesOrCharacters) {
  const Tokenizer t = made_up();
  const Ids ids = {hell, 'o', ' ', '!', space_w, euro_begin, 0xAC, t.eot()};
  const auto joined = [&](std::string_view language) {
    std::string result;
    for (const auto& word : split_to_word_tokens(t, ids, language)) result += word.word + "|";
    return result;
  };
  EXPECT_EQ(joined("en"), "hello| |!| w\xE2\x82\xAC|<|endoftext|>|");
  EXPECT_EQ(joined("ja"), "hell|o| |!| w|\xE2\x82\xAC|<|endoftext|>|");
}

// The same texts through openai/whisper's tokenizer. Needs the vocabularies of the models base and
// tiny.en, which scripts/test installs.
class TokenizerGolden : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("SCRIBED_MODELS");
    models_ = given ? fs::path(given) : fs::path(SCRIBED_SOURCE_DIR) / ".deps/data/models";
    for (const char* model : {"base", "tiny.en"}) {
      if (!fs::exists(models_ / model))
        GTEST_SKIP() << "the model " << model << " is not installed";
    }
    std::ifstream(fs::path(SCRIBED_SOURCE_DIR) /
                  "tests/engine/whisper/text/tokenizer_golden.json") >>
        golden_;
  }

  Tokenizer multilingual() const { return Tokenizer::load(models_ / "base", 51865).value(); }
  Tokenizer english() const { return Tokenizer::load(models_ / "tiny.en", 51864).value(); }

  fs::path models_;
  nlohmann::json golden_;
};

TEST_F(TokenizerGolden, EncodesTheSameIds) {
  const Tokenizer many = multilingual();
  const Tokenizer one = english();
  for (const auto& c : golden_.at("encode")) {
    const auto text = c.at("text").get<std::string>();
    EXPECT_EQ(many.encode(text), c.at("multilingual").get<Ids>()) << text;
    EXPECT_EQ(one.encode(text), c.at("english").get<Ids>()) << text;
    EXPECT_EQ(one.decode(one.encode(text)), text);
  }
}

TEST_F(TokenizerGolden, DecodesTheSameText) {
  const Tokenizer tokenizer = multilingual();
  for (const auto& c : golden_.at("decode")) {
    const auto ids = c.at("ids").get<Ids>();
    EXPECT_EQ(tokenizer.decode_with_timestamps(ids), c.at("text").get<std::string>());
    EXPECT_EQ(tokenizer.decode_with_specials(ids), c.at("without_timestamps").get<std::string>());
  }
}

TEST_F(TokenizerGolden, SplitsTheSameWords) {
  const Tokenizer tokenizer = multilingual();
  for (const auto& c : golden_.at("words")) {
    std::vector<std::string> words;
    std::vector<Ids> tokens;
    for (auto& word : split_to_word_tokens(tokenizer, c.at("ids").get<Ids>(),
                                           c.at("language").get<std::string>())) {
      words.push_back(word.word);
      tokens.push_back(word.tokens);
    }
    EXPECT_EQ(words, c.at("words").get<std::vector<std::string>>());
    EXPECT_EQ(tokens, c.at("tokens").get<std::vector<Ids>>());
  }
}

TEST_F(TokenizerGolden, SuppressesTheSameSigns) {
  EXPECT_EQ(multilingual().non_speech_tokens(), golden_.at("non_speech_multilingual").get<Ids>());
  EXPECT_EQ(english().non_speech_tokens(), golden_.at("non_speech_english").get<Ids>());
}

}  // namespace
}  // namespace engine
