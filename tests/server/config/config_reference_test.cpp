#include "server/config/config_reference.h"

#include <gtest/gtest.h>

#include <regex>

#include "server/config/config_file.h"
#include "server/config/settings_table.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

TEST(ConfigReference, TheFileInPackagingIsTheTable) {
  EXPECT_TRUE(test::read_text(SCRIBED_SOURCE_DIR "/packaging/config.toml") == config_reference())
      << "Write it again: scribed config example > packaging/config.toml";
}

TEST(ConfigReference, WithoutItsCommentSignsItIsWhatIsBuiltIn) {
  const test::TemporaryFolder root;
  test::write_text(root / "all.toml",
                   std::regex_replace(config_reference(), std::regex("\n#([a-z_]+ = )"), "\n$1"));
  Config config;
  const auto applied = apply_file(root / "all.toml", config);
  ASSERT_TRUE(applied) << applied.error().message;
  std::size_t secrets = 0;
  for (const Setting& setting : settings()) {
    if (setting.is_secret) ++secrets;
    EXPECT_EQ(value_text(setting, config), value_text(setting, Config())) << setting.key;
  }
  EXPECT_EQ(config.origins.size(), settings().size() - secrets) << "each is in the file";
}

TEST(ConfigReference, WhatIsShownCanBeReadAgain) {
  Config config;
  config.server.api_key = "hunter2";
  config.jobs.parallel = 7;
  config.inputs.allow_paths = {"/a # b", "/\xC3\xA4"};
  config.origins["jobs.parallel"] = "SCRIBED_JOBS_PARALLEL";
  const auto text = config_text(config);
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
  EXPECT_NE(text.find("# SCRIBED_JOBS_PARALLEL"), std::string::npos);
  const test::TemporaryFolder root;
  test::write_text(root / "shown.toml", text);
  Config again;
  ASSERT_TRUE(apply_file(root / "shown.toml", again));
  EXPECT_EQ(again.jobs.parallel, 7);
  EXPECT_EQ(again.inputs.allow_paths, config.inputs.allow_paths);
}

TEST(ConfigReference, JsonHasValuesOfTheirTypesAndNoSecrets) {
  Config config;
  config.server.api_key = "hunter2";
  config.origins["server.api_key"] = "SCRIBED_API_KEY";
  const auto json = config_json(config);
  EXPECT_EQ(json.dump().find("hunter2"), std::string::npos);
  for (const auto& row : json.at("settings")) {
    if (row.at("key") == "server.api_key") {
      EXPECT_TRUE(row.at("value").is_null());
      EXPECT_EQ(row.at("is_set"), true);
      EXPECT_EQ(row.at("origin"), "SCRIBED_API_KEY");
    }
    if (row.at("key") == "jobs.parallel") {
      EXPECT_EQ(row.at("value"), 4);
    }
    if (row.at("key") == "server.listen") {
      EXPECT_EQ(row.at("value"), nlohmann::json::array({"127.0.0.1:8080"}));
      EXPECT_EQ(row.at("origin"), "built in");
    }
  }
}

}  // namespace
}  // namespace server
