#include "engine/whisper/text/token_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "tests/engine/whisper/text/test_vocabulary.h"

namespace engine {
namespace {

// The vocabulary of a published model of this size, as a newer tokenizer.json names it whole.
Vocabulary published(int n_vocab) {
  const TokenLayout layout = layout_of_size(n_vocab).value();
  Vocabulary all = vocabulary_of(test_tokens(static_cast<std::size_t>(layout.specials.eot)));
  for (int id = layout.specials.eot; id < n_vocab; ++id) {
    all.tokens.push_back(token_name(layout, id));
    all.kinds.push_back(TokenKind::special);
  }
  return all;
}

Vocabulary with(Vocabulary all, const std::string& token, TokenKind kind) {
  all.tokens.push_back(token);
  all.kinds.push_back(kind);
  return all;
}

// As older tokenizers are, which name no timestamps.
Vocabulary without_timestamps(Vocabulary all) {
  const auto place = std::ranges::find(all.tokens, "<|0.00|>") - all.tokens.begin();
  all.tokens.resize(static_cast<std::size_t>(place));
  all.kinds.resize(static_cast<std::size_t>(place));
  return all;
}

StatedTokens stated_of_base() {
  return {{{"<|notimestamps|>", 50363},
           {"<|startoftranscript|>", 50258},
           {"<|en|>", 50259},
           {"<|de|>", 50261}},
          {"<|en|>", "<|de|>"},
          true};
}

std::string message_of(const Result<TokenLayout>& layout) {
  return layout ? "none" : layout.error().message;
}

TEST(TokenLayout, OfPublishedModelsIsTheSameByNamesAndBySize) {
  for (const int n_vocab : {51864, 51865, 51866}) {
    for (const Vocabulary& vocabulary :
         {published(n_vocab), without_timestamps(published(n_vocab))}) {
      const auto named = token_layout(vocabulary, {}, n_vocab);
      ASSERT_TRUE(named) << message_of(named);
      const TokenLayout sized = layout_of_size(n_vocab).value();
      EXPECT_EQ(named->specials.multilingual, sized.specials.multilingual);
      EXPECT_EQ(named->specials.timestamp_begin, sized.specials.timestamp_begin);
      EXPECT_EQ(named->specials.no_speech, sized.specials.no_speech);
      EXPECT_EQ(named->specials.text, sized.specials.text);
      EXPECT_EQ(named->languages.size(), sized.languages.size());
      EXPECT_TRUE(named->unused.empty());
    }
  }
}

// Base and a token, as large-v3 has one more.
TEST(TokenLayout, OneAddedTokenMovesNoOther) {
  const auto layout =
      token_layout(with(published(51865), "<|mark|>", TokenKind::special), stated_of_base(), 51866);
  ASSERT_TRUE(layout) << message_of(layout);
  EXPECT_EQ(layout->specials.timestamp_begin, 50364);
  EXPECT_EQ(layout->specials.transcribe, 50359);
  EXPECT_FALSE(layout->specials.is_timestamp(51865));
  EXPECT_FALSE(layout->specials.is_text(51865));
  EXPECT_TRUE(layout->unused.empty());
  EXPECT_FALSE(layout->specials.is_in_published_order());
}

TEST(TokenLayout, PaddingIsNeverChosen) {
  const auto layout = token_layout(published(51865), stated_of_base(), 51904);
  ASSERT_TRUE(layout) << message_of(layout);
  ASSERT_EQ(layout->unused.size(), 39U);
  EXPECT_EQ(layout->unused.front(), 51865);
  EXPECT_EQ(layout->unused.back(), 51903);
  EXPECT_TRUE(layout->specials.is_in_published_order());
}

TEST(TokenLayout, ATimeThatNoWindowHasIsPadding) {
  const auto layout =
      token_layout(with(published(51864), "<|30.02|>", TokenKind::special), {}, 51865);
  ASSERT_TRUE(layout) << message_of(layout);
  EXPECT_EQ(layout->unused, std::vector<int>{51864});
  EXPECT_TRUE(layout->specials.is_in_published_order());
}

TEST(TokenLayout, AnEnglishModelStaysEnglishHoweverLarge) {
  for (const int n_vocab : {51865, 51866, 51904}) {
    const auto layout = token_layout(without_timestamps(published(51864)), {}, n_vocab);
    ASSERT_TRUE(layout) << message_of(layout);
    EXPECT_FALSE(layout->specials.multilingual);
    EXPECT_EQ(layout->specials.timestamp_begin, 50363);
  }
}

TEST(TokenLayout, LanguagesAreThoseThatAreStatedInTheOrderOfTheirTokens) {
  StatedTokens stated = stated_of_base();
  stated.ids["<|gsw|>"] = 51865;
  stated.languages.insert(stated.languages.begin(), "<|gsw|>");
  const auto layout =
      token_layout(with(published(51865), "<|gsw|>", TokenKind::special), stated, 51866);
  ASSERT_TRUE(layout) << message_of(layout);
  std::string codes;
  for (const auto& language : layout->languages) codes += language.code + " ";
  EXPECT_EQ(codes, "en de gsw ");
  EXPECT_EQ(language_token(*layout, "gsw"), 51865);
  EXPECT_EQ(token_name(*layout, 51865), "<|gsw|>");
}

TEST(TokenLayout, WithoutAStatementAKnownLanguageCountsWhereverItIs) {
  const auto layout =
      token_layout(with(published(51865), "<|yue|>", TokenKind::special), {}, 51866);
  ASSERT_TRUE(layout) << message_of(layout);
  EXPECT_EQ(layout->languages.size(), 100U);
  EXPECT_EQ(language_token(*layout, "yue"), 51865);
}

TEST(TokenLayout, AddedTextIsText) {
  const auto layout = token_layout(with(published(51865), "ß", TokenKind::added), {}, 51866);
  ASSERT_TRUE(layout) << message_of(layout);
  EXPECT_EQ(layout->specials.text, (std::vector<IdRange>{{0, 50257}, {51865, 51866}}));
}

// As tokenizers has it that was trained anew.
TEST(TokenLayout, SpecialTokensMayComeFirst) {
  Vocabulary all;
  for (const char* name :
       {"<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>",
        "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"}) {
    all = with(std::move(all), name, TokenKind::special);
  }
  for (int step = 0; step < n_timestamps; ++step) all = with(std::move(all), "", TokenKind::none);
  for (const std::string& token : test_tokens(300))
    all = with(std::move(all), token, TokenKind::text);
  const auto layout = token_layout(all, {}, all.size());
  ASSERT_TRUE(layout) << message_of(layout);
  EXPECT_EQ(layout->specials.eot, 0);
  EXPECT_EQ(layout->specials.timestamp_begin, 10);
  EXPECT_EQ(layout->specials.text, (std::vector<IdRange>{{1511, 1811}}));
  EXPECT_EQ(layout->languages.size(), 2U);
  EXPECT_FALSE(layout->specials.is_in_published_order());
}

TEST(TokenLayout, TheSizeTellsThoseOfTextAlone) {
  const auto text = vocabulary_of(test_tokens(50257));
  EXPECT_EQ(token_layout(text, {}, 51866)->specials.timestamp_begin, 50365);
  EXPECT_NE(
      message_of(token_layout(text, {}, 51864)).find("50257 text tokens; the model needs 50256"),
      std::string::npos);
  EXPECT_NE(message_of(token_layout(text, {}, 51868)).find("51868 tokens and no tokenizer"),
            std::string::npos);
  EXPECT_FALSE(token_layout(text, {}, 51866, SizeTells::nothing));
}

// Checkpoints without a tokenizer were installed with that of another model.
TEST(TokenLayout, TheSizeTellsThoseOfAModelWhoseTextWasBorrowed) {
  const auto large = token_layout(without_timestamps(published(51865)), {}, 51866);
  ASSERT_TRUE(large) << message_of(large);
  EXPECT_EQ(large->languages.size(), 100U);
  EXPECT_EQ(large->specials.timestamp_begin, 50365);
  const auto base = token_layout(published(51866), {}, 51865);
  ASSERT_TRUE(base) << message_of(base);
  EXPECT_EQ(base->specials.timestamp_begin, 50364);
}

TEST(TokenLayout, AContradictionIsNamedWithBothNumbers) {
  const auto contradicts = [](const Vocabulary& vocabulary, const StatedTokens& stated, int n_vocab,
                              std::initializer_list<const char*> parts) {
    const auto layout = token_layout(vocabulary, stated, n_vocab);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, Errc::refused_model);
    for (const char* part : parts) {
      EXPECT_NE(layout.error().message.find(part), std::string::npos) << layout.error().message;
    }
  };
  contradicts(published(51866), stated_of_base(), 51866,
              {"<|notimestamps|> is 50363 in generation_config.json and 50364"});
  contradicts(published(51865), {{{"<|yue|>", 50358}}, {"<|yue|>"}, true}, 51865,
              {"<|yue|> is 50358", "'<|translate|>'"});
  contradicts(with(published(51865), "<|mark|>", TokenKind::special), stated_of_base(), 51865,
              {"is 51865, and the model has 51865 tokens"});
  contradicts(without_timestamps(published(51865)), stated_of_base(), 50364,
              {"<|30.00|> is 51864, and the model has 50364 tokens"});
  contradicts(with(without_timestamps(published(51865)), "<|mark|>", TokenKind::special),
              stated_of_base(), 51865, {"'<|mark|>' is 50364", "<|notimestamps|>, 50363"});
}

TEST(PublishedSize, IsOfVocabulariesWithoutTokensOfTheirOwn) {
  EXPECT_EQ(published_size(published(51866)), 51866);
  EXPECT_EQ(published_size(without_timestamps(published(51864))), 51864);
  EXPECT_FALSE(published_size(with(published(51865), "<|mark|>", TokenKind::special)));
  EXPECT_FALSE(published_size(with(published(51865), "word", TokenKind::added)));
}

}  // namespace
}  // namespace engine
