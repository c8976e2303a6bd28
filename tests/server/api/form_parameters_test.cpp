#include "server/api/form_parameters.h"

#include <gtest/gtest.h>

#include "tests/server/api/form_fields.h"

// Each of these tests is about what one parameter, or one kind of them, may be; those of
// transcription_form_test.cpp are about forms as a whole.
namespace server {
namespace {

using test::Fields;
using test::with_model;

TEST(FormParameters, TextsHaveLimitsThatTheErrorNames) {
  const std::string longest(8192, 'a'), name(255, 'a');
  const std::string half_list = "[\"" + std::string(4095, 'a') + "\"]";
  std::string many = "[";
  for (int i = 0; i < 100; ++i) many += "\"de\",";
  EXPECT_TRUE(read_form(with_model({{"prompt", longest},
                                    {"prefix", longest},
                                    {"keywords", half_list},
                                    {"keywords", half_list},
                                    {"languages", many.substr(0, many.size() - 1) + "]"},
                                    {"suppress_tokens", std::string(8192, '1')}}),
                        FormKind::job));
  struct Case {
    const char* parameter;
    Fields fields;
    const char* part;
  };
  for (const auto& c :
       {Case{"prompt", {{"prompt", longest + "a"}}, "8193 bytes, and may have 8192"},
        Case{"prefix", {{"prefix", longest + "a"}}, "8192"},
        Case{"suppress_tokens", {{"suppress_tokens", std::string(8193, '1')}}, "8192"},
        Case{"keywords", {{"keywords", half_list}, {"keywords[]", longest}}, "8192"},
        Case{"languages", {{"languages", many + "\"fr\"]"}}, "101 entries, and may have 100"},
        Case{"model", {{"model", name + "a"}}, "255"},
        Case{"upload", {{"upload", name + "a"}}, "255"},
        Case{"webhook_url", {{"webhook_url", std::string(4097, 'a')}}, "4096"},
        Case{"channel_labels",
             {{"channels", "split"}, {"channel_labels[]", "A"}, {"channel_labels[]", name + "a"}},
             "255"}}) {
    const auto form = read_form(with_model(c.fields), FormKind::job);
    ASSERT_FALSE(form) << c.parameter;
    EXPECT_EQ(form.error().parameter, c.parameter);
    EXPECT_EQ(form.error().error.code, errc::usage);
    const std::string& message = form.error().error.message;
    EXPECT_NE(message.find(c.part), message.npos) << message;
    EXPECT_NE(message.find(c.parameter), message.npos) << message;
  }
}

TEST(FormParameters, ATaskIsChosenWhereTheAddressChoosesNone) {
  for (const FormKind kind : {FormKind::transcription, FormKind::job}) {
    const auto form = read_form(with_model({{"task", "translate"}}), kind);
    ASSERT_TRUE(form);
    EXPECT_EQ(form->options.task, protocol::Task::translate);
    EXPECT_EQ(read_form(with_model({{"task", "sing"}}), kind).error().parameter, "task");
  }
  EXPECT_EQ(
      read_form(with_model({{"task", "transcribe"}}), FormKind::translation).error().parameter,
      "task");
}

TEST(FormParameters, ChannelsAreMixedUnlessTheyAreSplit) {
  const auto form = read_form(
      with_model(
          {{"channels", "split"}, {"channel_labels[]", "Agent"}, {"channel_labels[]", "Caller"}}),
      FormKind::translation);
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->split_channels);
  EXPECT_EQ(form->channel_labels, (std::vector<std::string>{"Agent", "Caller"}));
  EXPECT_FALSE(read_form(with_model({{"channels", "mix"}}), FormKind::job)->split_channels);
}

TEST(FormParameters, LabelsAreTwoLinesForSplitChannels) {
  for (const Fields& fields :
       {Fields{{"channel_labels", R"(["A", "B"])"}},
        Fields{{"channels", "mix"}, {"channel_labels", R"(["A", "B"])"}},
        Fields{{"channels", "split"}, {"channel_labels[]", "A"}},
        Fields{{"channels", "split"}, {"channel_labels", R"(["A", "B", "C"])"}},
        Fields{{"channels", "split"}, {"channel_labels", R"(["A", ""])"}},
        Fields{{"channels", "split"}, {"channel_labels", R"(["A", "B\u001bC"])"}},
        Fields{{"channels", "split"}, {"channel_labels", R"(["A", "B\nC"])"}}}) {
    const auto form = read_form(with_model(fields), FormKind::transcription);
    ASSERT_FALSE(form) << fields.back().value;
    EXPECT_EQ(form.error().parameter, "channel_labels");
  }
}

TEST(FormParameters, ChunksAreWindowsCutInSilences) {
  const auto form = read_form(with_model({{"chunking_strategy", "auto"}}), FormKind::transcription);
  EXPECT_EQ(form->options.long_form, protocol::LongForm::parallel);
}

TEST(FormParameters, ArraysComeInThreeShapes) {
  for (const Fields& fields :
       {Fields{{"keywords[]", "a"}, {"keywords[]", "b"}},
        Fields{{"keywords", "a"}, {"keywords", "b"}}, Fields{{"keywords", R"(["a", "b"])"}}}) {
    const auto form = read_form(with_model(fields), FormKind::transcription);
    ASSERT_TRUE(form);
    EXPECT_EQ(form->options.hotwords, "a, b");
  }
}

TEST(FormParameters, LanguagesAreAChoiceForDetection) {
  const auto form = read_form(with_model({{"languages[]", "de"}, {"languages[]", "French"}}),
                              FormKind::transcription);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->options.languages, (std::vector<std::string>{"de", "fr"}));
  EXPECT_EQ(form->options.language, "");
  EXPECT_FALSE(form->options.multilingual);
  EXPECT_TRUE(
      read_form(with_model({{"multilingual", "true"}}), FormKind::job)->options.multilingual);
}

TEST(FormParameters, TemperatureZeroIsTheLadder) {
  const auto form = read_form(with_model({{"temperature", "0"}}), FormKind::transcription);
  EXPECT_EQ(form->options.temperatures, protocol::TranscribeOptions{}.temperatures);
}

TEST(FormParameters, AJobHasATimeToBeKeptAndTextsOfItsClient) {
  const auto form = read_form({{"keep_results_s", "60.5"},
                               {"priority", "bulk"},
                               {"metadata", R"({"call": "17", "case": "a"})"},
                               {"metadata[case]", "b"},
                               {"metadata[x[0]]", ""}},
                              FormKind::job);
  ASSERT_TRUE(form) << form.error().error.message;
  EXPECT_EQ(form->keep_results_s, 60.5);
  EXPECT_TRUE(form->bulk);
  EXPECT_EQ(form->metadata,
            (std::map<std::string, std::string>{{"call", "17"}, {"case", "b"}, {"x[0]", ""}}));
  Fields many;
  for (int i = 0; i < 17; ++i) many.push_back({"metadata[" + std::to_string(i) + "]", "x"});
  EXPECT_EQ(read_form(many, FormKind::job).error().parameter, "metadata");
  EXPECT_TRUE(read_form({{"keep_results_s", "100000"}}, FormKind::job, {},
                        {.max_keep_results_s = 100'000}));
}

TEST(FormParameters, NamesOfValuesCountInAnyCase) {
  const auto form = read_form(with_model({{"response_format", "Verbose_JSON"},
                                          {"task", "Translate"},
                                          {"language", "EN"},
                                          {"timestamp_granularities[]", "Word"},
                                          {"include[]", "LogProbs"},
                                          {"stream", "FALSE"},
                                          {"chunking_strategy", "AUTO"},
                                          {"channels", "Split"},
                                          {"timeline", "Packed"},
                                          {"long_form", "Sequential"},
                                          {"subtitle_style", "BBC"}}),
                              FormKind::transcription);
  ASSERT_TRUE(form) << form.error().error.message;
  EXPECT_EQ(form->response_format, "verbose_json");
  EXPECT_EQ(form->options.task, protocol::Task::translate);
  EXPECT_EQ(form->options.language, "en");
  EXPECT_TRUE(form->parts.words);
  EXPECT_TRUE(form->options.token_logprobs);
  EXPECT_TRUE(form->split_channels);
  EXPECT_EQ(form->timeline, "packed");
  EXPECT_EQ(form->options.subtitle_style, protocol::SubtitleStyle::bbc);
  const auto job = read_form({{"priority", "BULK"}, {"prompt", "As It Is"}}, FormKind::job);
  EXPECT_TRUE(job->bulk);
  EXPECT_EQ(job->options.initial_prompt, "As It Is") << "texts keep their letters";
}

}  // namespace
}  // namespace server
