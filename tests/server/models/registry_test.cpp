#include "server/models/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "server/models/helper_models.h"
#include "server/models/model_store.h"

namespace server {
namespace {

using Names = std::vector<std::string>;

bool is_lower_hex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void expect_sound(const KnownFile& file) {
  EXPECT_FALSE(file.name.empty());
  if (!file.digest) return;
  EXPECT_EQ(file.digest->hex.size(), file.digest->kind == Digest::Kind::sha256 ? 64u : 40u)
      << file.name;
  EXPECT_TRUE(is_lower_hex(file.digest->hex)) << file.name;
}

TEST(Registry, HasEveryOfficialAndDistilModel) {
  std::vector<std::string> names;
  for (const auto& model : registered_models()) names.push_back(model.name);
  EXPECT_EQ(names,
            (Names{"tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en",
                   "large-v1", "large-v2", "large-v3", "large-v3-turbo", "distil-small.en",
                   "distil-medium.en", "distil-large-v2", "distil-large-v3", "distil-large-v3.5"}));
}

TEST(Registry, IsSound) {
  std::set<std::string> seen;
  std::set<std::string> weights;
  for (const auto& model : registered_models()) {
    EXPECT_TRUE(is_store_name(model.name)) << model.name;
    EXPECT_TRUE(seen.insert(model.name).second) << model.name;
    for (const auto& alias : model.aliases) EXPECT_TRUE(seen.insert(alias).second) << alias;
    ASSERT_FALSE(model.sources.empty());
    EXPECT_EQ(kind(model.sources.front()), SourceKind::hub) << model.name;
    for (const auto& source : model.sources) {
      if (const auto* hub = std::get_if<HubSource>(&source)) {
        for (const auto& file : hub->files) expect_sound(file);
        EXPECT_EQ(hub->files.back().name, "model.safetensors");
        const auto& digest = hub->files.back().digest;
        EXPECT_TRUE(!digest || weights.insert(digest->hex).second) << model.name;
      } else if (const auto* packages = std::get_if<PackageSource>(&source)) {
        for (const auto& file : packages->files) {
          expect_sound(file);
          EXPECT_TRUE(file.size && file.digest) << "nobody else says what it is: " << file.name;
        }
      } else {
        const auto& file = std::get<OpenAiSource>(source).file;
        expect_sound(file);
        EXPECT_TRUE(file.digest && weights.insert(file.digest->hex).second) << model.name;
      }
    }
  }
}

struct AliasCase {
  const char* alias;
  const char* name;
};

TEST(Registry, KnowsTheNamesOfOtherPrograms) {
  constexpr AliasCase cases[] = {
      {"large", "large-v3"},
      {"turbo", "large-v3-turbo"},
      {"openai/whisper-large", "large-v1"},
      {"openai/whisper-tiny.en", "tiny.en"},
      {"whisper-small", "small"},
      {"Systran/faster-whisper-base", "base"},
      {"Systran/faster-distil-whisper-large-v3", "distil-large-v3"},
      {"distil-whisper/distil-medium.en", "distil-medium.en"},
  };
  for (const auto& [alias, name] : cases) {
    const auto* model = find_registered(alias);
    ASSERT_NE(model, nullptr) << alias;
    EXPECT_EQ(model->name, name) << alias;
  }
  EXPECT_EQ(find_registered("whisper"), nullptr);
  EXPECT_EQ(find_registered(""), nullptr);
}

TEST(Registry, KnowsWhatTellsWhereSpeechIs) {
  for (const char* name : {"silero-vad", "silero", "snakers4/silero-vad"}) {
    EXPECT_EQ(find_registered(name), &vad_model()) << name;
  }
  EXPECT_EQ(vad_model().use, ModelUse::speech_detection);
  ASSERT_EQ(vad_model().sources.size(), 1U);
  const auto& files = std::get<PackageSource>(vad_model().sources[0]).files;
  ASSERT_EQ(files.size(), 1U);
  expect_sound(files[0]);
  EXPECT_EQ(auxiliary_models("/store").at("speech_detection"),
            "/store/silero-vad/" + files[0].name);
}

TEST(Registry, KnowsWhatTellsSpeakersApart) {
  const auto& model = speakers_model();
  EXPECT_EQ(find_registered("speakers"), &model);
  EXPECT_EQ(model.use, ModelUse::speaker_recognition);
  const auto& source = std::get<PackageSource>(model.sources.at(0));
  EXPECT_EQ(source.packages.at(0).made_for.python, "3.11");
  ASSERT_EQ(source.files.size(), source.parts.size());
  for (const auto& file : source.files) expect_sound(file);
  EXPECT_EQ(auxiliary_models("/store").at("speaker_recognition"),
            "/store/speakers/" + source.files[0].name);
}

TEST(Closest, FindsWhatWasProbablyMeant) {
  EXPECT_EQ(closest("bsae", {"base", "tiny", "base.en"}), Names{"base"});
  EXPECT_EQ(closest("large-v3-trubo", {"large-v3", "large-v3-turbo"}), Names{"large-v3-turbo"});
  EXPECT_TRUE(closest("zzzzzz", {"base", "tiny"}).empty());
  EXPECT_TRUE(closest(std::string(101, 'a'), {std::string(100, 'a')}).empty()) << "too long";
}

}  // namespace
}  // namespace server
