#include "server/live/wyoming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "server/base/version.h"
#include "server/models/manifest.h"
#include "server/models/model_store.h"
#include "server/models/staging.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class WyomingModels : public ::testing::Test {
 protected:
  // Installs a model that is a manifest alone.
  void install(const std::string& name, int n_vocab) {
    const auto staged = partial_folder(store.root()) / name / "test";
    std::filesystem::create_directories(staged);
    Manifest manifest{.name = name,
                      .format = "ctranslate2",
                      .source = "hub",
                      .origin = "somewhere@main",
                      .installed = utc_now(),
                      .dims = {{"n_vocab", n_vocab}},
                      .files = {}};
    ASSERT_TRUE(publish(staged, manifest, store.root()));
  }

  test::TemporaryFolder folder;
  ModelStore store{folder / "models"};
  WyomingSettings settings{.default_model = "small"};
};

TEST_F(WyomingModels, AreToldWithTheDefaultOneFirstAndTheirLanguages) {
  install("base", 51865);
  install("large-v3", 51866);
  install("small", 51865);
  install("tiny.en", 51864);
  const auto info = wyoming_info(store, settings);
  ASSERT_EQ(info.models.size(), 4U);
  EXPECT_EQ(info.models[0].name, "small");
  EXPECT_EQ(info.models[0].languages.size(), 99U);
  EXPECT_EQ(info.models[1].name, "base");
  EXPECT_EQ(info.models[2].languages.size(), 100U);
  EXPECT_EQ(info.models[3].languages, std::vector<std::string>{"en"});
  EXPECT_EQ(info.version, program_version());
}

TEST_F(WyomingModels, NoneAreToldWhereNoneAreInstalled) {
  EXPECT_TRUE(wyoming_info(store, settings).models.empty());
}

TEST_F(WyomingModels, AnAdapterHasTheSettingsOfTheServer) {
  settings.requires_external_vad = false;
  settings.options.hotwords = "Ada";
  const auto adapter = make_wyoming_adapter(store, settings);
  const auto actions = adapter->receive_bytes(protocol::wyoming::encode(
      {.type = "audio-chunk", .data = {{"rate", 16000}}, .payload = "ab"}));
  ASSERT_FALSE(actions.empty());
  const auto* open = std::get_if<protocol::live::Open>(&actions.front());
  ASSERT_NE(open, nullptr);
  EXPECT_EQ(open->settings.hotwords, "Ada");
  EXPECT_TRUE(open->settings.live.turn_detection);
}

}  // namespace
}  // namespace server
