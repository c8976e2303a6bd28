#include "protocol/deepgram/listen_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace protocol::deepgram {
namespace {

const Query raw_sound{{"encoding", "linear16"}, {"sample_rate", "16000"}};

Result<ListenSettings> read_with(const Query& more, ListenKind kind = ListenKind::socket) {
  Query query = raw_sound;
  query.insert(query.end(), more.begin(), more.end());
  return read_listen_query(query, kind);
}

std::string problem_of(const Query& query, ListenKind kind = ListenKind::socket) {
  const auto read = read_listen_query(query, kind);
  if (read) return "";
  EXPECT_EQ(read.error().code, bad_parameter);
  return read.error().message;
}

TEST(ListenSettings, HaveDefaultsWhereNothingIsSaid) {
  const auto settings = read_with({}).value();
  EXPECT_EQ(settings.raw, (live::SoundFormat{live::SampleType::s16le, 16000, 1}));
  EXPECT_FALSE(settings.interim_results);
  EXPECT_FALSE(settings.vad_events);
  EXPECT_EQ(settings.endpointing_ms, 300);
  EXPECT_EQ(settings.utterance_end_ms, std::nullopt);
  EXPECT_EQ(settings.model, "");
  EXPECT_EQ(settings.language, "");
}

TEST(ListenSettings, ReadTheEncodingsOfRawSound) {
  using live::SampleType;
  for (const auto& [name, type] :
       {std::pair{"linear16", SampleType::s16le}, std::pair{"mulaw", SampleType::mulaw},
        std::pair{"alaw", SampleType::alaw}}) {
    const auto settings = read_listen_query(
        {{"encoding", name}, {"sample_rate", "8000"}, {"channels", "2"}}, ListenKind::socket);
    EXPECT_EQ(settings.value().raw, (live::SoundFormat{type, 8000, 2})) << name;
  }
}

TEST(ListenSettings, TakeDeepgramsModelsForTheDefault) {
  struct Row {
    const char* given;
    const char* model;
  };
  for (const Row& row : {Row{"nova-3", ""}, Row{"nova-2-phonecall", ""}, Row{"enhanced", ""},
                         Row{"whisper-large", ""}, Row{"base-general", ""}, Row{"base", "base"},
                         Row{"large-v3-turbo", "large-v3-turbo"}}) {
    EXPECT_EQ(read_with({{"model", row.given}})->model, row.model) << row.given;
  }
}

TEST(ListenSettings, TakeLanguagesWithTheirRegions) {
  struct Row {
    const char* given;
    const char* language;
  };
  for (const Row& row : {Row{"en", "en"}, Row{"en-US", "en"}, Row{"pt-BR", "pt"},
                         Row{"zh-Hant", "zh"}, Row{"multi", ""}, Row{"", ""}}) {
    EXPECT_EQ(read_with({{"language", row.given}})->language, row.language) << row.given;
  }
  EXPECT_EQ(read_with({{"language", "en"}, {"detect_language", "true"}})->language, "");
  EXPECT_EQ(problem_of({{"language", "xx"}}),
            "The parameter language names a language that is not known here.");
}

TEST(ListenSettings, CollectKeyTermsAndKeywordsWithoutTheirBoosts) {
  const auto settings = read_with({{"keyterm", "Asterisk PBX"},
                                   {"keywords", "snuffle:2"},
                                   {"keywords", "um:-5"},
                                   {"keyterm", ""}});
  EXPECT_EQ(settings->keyterms, (std::vector<std::string>{"Asterisk PBX", "snuffle"}));
  EXPECT_EQ(hotwords_of(settings->keyterms), "Asterisk PBX, snuffle");
}

TEST(ListenSettings, HearEndsOfSpeechInStepsThatThereAre) {
  EXPECT_EQ(read_with({{"endpointing", "25"}})->endpointing_ms, least_endpointing_ms);
  EXPECT_EQ(read_with({{"endpointing", "500"}})->endpointing_ms, 500);
  EXPECT_EQ(read_with({{"endpointing", "true"}})->endpointing_ms, 300);
  EXPECT_EQ(read_with({{"endpointing", "false"}})->endpointing_ms, std::nullopt);
}

TEST(ListenSettings, IgnoreWhatNobodyKnowsOrWhatOnlyAdds) {
  const auto settings = read_with({{"punctuate", "true"},
                                   {"mip_opt_out", "true"},
                                   {"colour", "red"},
                                   {"sentiment", "false"},
                                   {"topics", ""}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->ignored, std::vector<std::string>{"colour"});
}

TEST(ListenSettings, SayWhatIsWrong) {
  struct Row {
    Query query;
    const char* message;
  };
  for (const Row& row : std::initializer_list<Row>{
           {{{"encoding", "speex"}},
            "The parameter encoding names a format that is not taken here."},
           {{{"encoding", "linear16"}}, "The parameter sample_rate is missing."},
           {{{"sample_rate", "16k"}},
            "The parameter sample_rate must be a whole number from 4000 to 192000."},
           {{{"channels", "9"}}, "The parameter channels must be a whole number from 1 to 8."},
           {{{"endpointing", "soon"}},
            "The parameter endpointing must be a number of milliseconds up to 10000, or false."},
           {{{"utterance_end_ms", "500"}},
            "The parameter utterance_end_ms must be a whole number from 1000 to 5000."},
           {{{"interim_results", "maybe"}},
            "The parameter interim_results is neither true nor false."},
           {{{"redact", "pci"}}, "The parameter redact is not supported here."},
           {{{"callback", "https://a"}}, "The parameter callback is not supported here."},
           {{{"utt_split", "-1"}}, "The parameter utt_split must be a number of seconds."}}) {
    EXPECT_EQ(problem_of(row.query), row.message);
  }
  EXPECT_EQ(read_with({{"utterance_end_ms", "1000"}}).error().message,
            "The parameter utterance_end_ms needs interim_results=true.");
  EXPECT_TRUE(read_with({{"utterance_end_ms", "1000"}, {"interim_results", "true"}}));
  EXPECT_TRUE(read_with({{"interim_results", "True"}})->interim_results);
  EXPECT_TRUE(
      read_listen_query({{"encoding", "LINEAR16"}, {"sample_rate", "8000"}}, ListenKind::socket)
          ->raw);
  EXPECT_FALSE(read_with({{"interim_results", ""}, {"redact", "False"}})->interim_results);
  EXPECT_FALSE(read_with({{"keyterm", std::string(most_keyterm_bytes + 1, 'a')}}));
}

TEST(ListenSettings, LeaveTheFormatOfAStreamToTheStream) {
  for (const char* encoding : {"", "opus", "ogg-opus", "flac"}) {
    const auto settings =
        read_listen_query({{"encoding", encoding}, {"sample_rate", "48000"}}, ListenKind::socket);
    ASSERT_TRUE(settings) << encoding;
    EXPECT_EQ(settings->raw, std::nullopt);
  }
  EXPECT_EQ(problem_of({{"multichannel", "true"}}),
            "The parameter multichannel is for raw audio and files.");
  EXPECT_TRUE(read_listen_query({}, ListenKind::socket)) << "as browsers' recorders are sent";
}

TEST(ListenSettings, LeaveTheFormatOfAFileToTheFile) {
  EXPECT_EQ(read_listen_query({}, ListenKind::file)->raw, std::nullopt);
  EXPECT_EQ(read_listen_query({{"encoding", "flac"}}, ListenKind::file)->raw, std::nullopt);
  EXPECT_TRUE(read_with({}, ListenKind::file)->raw);
}

TEST(ListenErrors, HaveDeepgramsShape) {
  const auto body = nlohmann::json::parse(error_answer({"code", "No.", "Do so."}, "id"));
  EXPECT_EQ(body, (nlohmann::json{
                      {"err_code", "code"}, {"err_msg", "No. Do so."}, {"request_id", "id"}}));
}

}  // namespace
}  // namespace protocol::deepgram
