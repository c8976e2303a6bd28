#include "server/api/format_fit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/api/form_fields.h"

namespace server {
namespace {

using test::Fields;
using test::with_model;

using Names = std::vector<std::string>;

TEST(FormatFit, LogProbabilitiesAreForFormatsThatHaveAPlaceForThem) {
  const auto asked = [](const char* format, FormKind kind) {
    return read_form(with_model({{"include[]", "logprobs"}, {"response_format", format}}), kind);
  };
  for (const char* format : {"json", "verbose_json"}) {
    EXPECT_TRUE(asked(format, FormKind::transcription)->options.token_logprobs);
  }
  EXPECT_FALSE(asked("text", FormKind::transcription)->options.token_logprobs);
  EXPECT_EQ(asked("text", FormKind::transcription)->left_out, Names{"include"});
  EXPECT_TRUE(asked("srt", FormKind::job)->options.token_logprobs);
  EXPECT_FALSE(read_form(with_model({}), FormKind::job)->options.token_logprobs);
}

TEST(FormatFit, GranularitiesSayWhatAnAnswerHas) {
  struct Row {
    Fields granularities;
    bool segments, words;
  };
  const std::vector<Row> table{
      {{}, true, false},
      {{{"timestamp_granularities[]", "segment"}}, true, false},
      {{{"timestamp_granularities[]", "word"}}, false, true},
      {{{"timestamp_granularities[]", "word"}, {"timestamp_granularities[]", "segment"}},
       true,
       true},
  };
  for (const Row& row : table) {
    Fields fields = with_model(row.granularities);
    fields.push_back({"response_format", "verbose_json"});
    const auto form = read_form(fields, FormKind::transcription);
    ASSERT_TRUE(form);
    EXPECT_EQ(form->parts.segments, row.segments);
    EXPECT_EQ(form->parts.words, row.words);
    EXPECT_EQ(form->options.word_timestamps, row.words);
  }
}

TEST(FormatFit, AJobGetsTimesOfWordsWhateverFormatIsReadLater) {
  const auto form = read_form({{"timestamp_granularities[]", "word"}}, FormKind::job);
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->options.word_timestamps);
}

TEST(FormatFit, GranularitiesAreLeftOutWhereTheFormatHasNoPlaceForThem) {
  for (const char* format : {"text", "srt", "diarized_json"}) {
    const Fields fields =
        with_model({{"timestamp_granularities[]", "word"}, {"response_format", format}});
    const auto form = read_form(fields, FormKind::transcription);
    ASSERT_TRUE(form) << format;
    EXPECT_EQ(form->left_out, Names{"timestamp_granularities"}) << format;
  }
}

TEST(FormatFit, JsonHasTimesIfTheyAreAskedFor) {
  const auto asked =
      read_form(with_model({{"timestamp_granularities[]", "word"}}), FormKind::transcription);
  EXPECT_TRUE(asked->parts.words);
  EXPECT_TRUE(asked->options.word_timestamps);
  EXPECT_FALSE(asked->parts.segments);
  EXPECT_FALSE(read_form(with_model({}), FormKind::transcription)->parts.segments);
  const auto strict =
      read_form({{"model", "gpt-4o-transcribe"}, {"timestamp_granularities[]", "segment"}},
                FormKind::transcription);
  EXPECT_FALSE(strict->parts.segments) << "as OpenAI answers";
  EXPECT_EQ(strict->left_out, Names{"timestamp_granularities"});
}

TEST(FormatFit, AStreamIsOfTextAndJsonAlone) {
  const auto asked = [](const char* format) {
    return read_form(with_model({{"stream", "1"}, {"response_format", format}}),
                     FormKind::transcription)
        .value();
  };
  for (const char* format : {"json", "text", "verbose_json", "diarized_json"}) {
    EXPECT_TRUE(asked(format).stream) << format;
    EXPECT_EQ(asked(format).left_out, Names{}) << format;
  }
  EXPECT_FALSE(asked("srt").stream);
  EXPECT_EQ(asked("srt").left_out, Names{"stream"});
}

}  // namespace
}  // namespace server
