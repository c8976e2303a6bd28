#include "server/config/live_settings.h"

#include <gtest/gtest.h>

#include "server/config/settings_table.h"

namespace server {
namespace {

TEST(LiveSettings, AreTakenOverAndOthersAreNamed) {
  Config config, fresh;
  fresh.log.level = "debug";
  fresh.origins["log.level"] = "/etc/scribed/config.toml:3";
  fresh.jobs.max_waiting = 7;
  fresh.jobs.parallel = 9;
  fresh.server.listen = {"127.0.0.1:1"};
  fresh.server.api_key = "a secret";
  const auto changes = take_live_settings(fresh, config);
  EXPECT_EQ(changes.taken, (std::vector<std::string>{"jobs.max_waiting", "log.level"}));
  EXPECT_EQ(changes.need_restart, (std::vector<std::string>{"server.listen", "jobs.parallel"}));
  EXPECT_EQ(config.log.level, "debug");
  EXPECT_EQ(config.origins["log.level"], "/etc/scribed/config.toml:3");
  EXPECT_EQ(config.jobs.max_waiting, 7);
  EXPECT_EQ(config.jobs.parallel, Config().jobs.parallel);
  EXPECT_EQ(config.server.listen, Config().server.listen);
  EXPECT_EQ(config.server.api_key, "") << "a secret is gone from the environment by then";
}

TEST(LiveSettings, ThatAreGoneFromTheFileHaveTheirDefaultAgain) {
  Config config;
  config.log.level = "debug";
  config.origins["log.level"] = "/etc/scribed/config.toml:3";
  EXPECT_EQ(take_live_settings({}, config).taken, std::vector<std::string>{"log.level"});
  EXPECT_EQ(config.log.level, "info");
  EXPECT_FALSE(config.origins.contains("log.level"));
}

TEST(LiveSettings, ThatAreAlikeAreNoChange) {
  Config config;
  const auto changes = take_live_settings({}, config);
  EXPECT_TRUE(changes.taken.empty());
  EXPECT_TRUE(changes.need_restart.empty());
}

}  // namespace
}  // namespace server
