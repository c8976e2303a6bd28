#include "server/config/check_config.h"

#include <gtest/gtest.h>

#include <functional>

namespace server {
namespace {

// Returns the message of the refusal; empty: it is accepted.
std::string refusal(const std::function<void(Config&)>& change, bool has_keys = false) {
  Config config;
  change(config);
  const auto checked = check_config(config, has_keys);
  if (checked) return "";
  EXPECT_EQ(checked.error().code, errc::bad_config);
  EXPECT_FALSE(checked.error().fix.empty());
  return checked.error().message;
}

TEST(CheckConfig, WhatIsBuiltInIsSafe) {
  EXPECT_EQ(refusal([](Config&) {}), "");
}

TEST(CheckConfig, RefusesToServeTheNetworkWithoutAKey) {
  for (const char* address : {"0.0.0.0:8080", "192.168.1.5:8080", "[::]:8080", "[fe80::1]:80",
                              "10.0.0.1:80", "[::ffff:127.0.0.1]:80"}) {
    const auto open = [&](Config& config) { config.server.listen.push_back(address); };
    EXPECT_NE(refusal(open), "") << address;
    EXPECT_EQ(refusal(open, true), "") << address;
  }
  for (const char* address : {"127.0.0.1:0", "127.9.9.9:80", "[::1]:80", "localhost:80"}) {
    EXPECT_EQ(refusal([&](Config& config) { config.server.listen = {address}; }), "") << address;
  }
}

TEST(CheckConfig, AKeyThatIsSetToNothingIsNoDecisionToServeEverybody) {
  const auto empty = [](Config& config) { config.empty_key_variable = "SCRIBED_API_KEY"; };
  EXPECT_EQ(refusal(empty), "SCRIBED_API_KEY is set, and empty");
  EXPECT_EQ(refusal(empty, true), "") << "there are keys of another source";
  EXPECT_EQ(refusal([&](Config& config) {
              empty(config);
              config.server.allow_anyone = true;
            }),
            "");
}

TEST(CheckConfig, AKeyThatIsSetByAWrongNameIsNoDecisionToServeEverybody) {
  for (const bool allow_anyone : {false, true}) {
    const auto wrong = [&](Config& config) {
      config.unknown_key_variable = "SCRIBED_API_KY";
      config.meant_key_variable = "SCRIBED_API_KEY";
      config.server.allow_anyone = allow_anyone;
    };
    EXPECT_EQ(refusal(wrong), "SCRIBED_API_KY is set, which scribed does not know, and no key is");
    EXPECT_EQ(refusal(wrong, true), "") << "there are keys of another source";
  }
}

TEST(CheckConfig, ServesAnyoneWhereThatIsSaid) {
  EXPECT_EQ(refusal([](Config& config) {
              config.server.listen = {"0.0.0.0:8080"};
              config.server.allow_anyone = true;
            }),
            "");
}

TEST(CheckConfig, RefusesWhatOpensTheMachineOrContradictsItself) {
  const std::function<void(Config&)> unsafe[] = {
      [](Config& c) { c.server.listen = {}; },
      [](Config& c) { c.server.listen = {"127.0.0:80"}; },
      [](Config& c) { c.server.listen = {"unix:socket"}; },
      [](Config& c) { c.server.allowed_hosts = {"*"}; },
      [](Config& c) { c.server.allowed_hosts = {"*.example.org"}; },
      [](Config& c) { c.server.trusted_proxies = {"proxy.lan"}; },
      [](Config& c) { c.server.allowed_origins = {"https://*.example.org"}; },
      [](Config& c) { c.server.allowed_origins = {"https://example.org/page"}; },
      [](Config& c) { c.server.allowed_origins = {"obsidian.md"}; },
      [](Config& c) { c.server.allowed_origins = {"app://obsidian.md/page"}; },
      [](Config& c) { c.inputs.allow_paths = {"/"}; },
      [](Config& c) { c.inputs.allow_paths = {"/etc/"}; },
      [](Config& c) { c.inputs.allow_paths = {"/srv/../etc"}; },
      [](Config& c) { c.inputs.allow_paths = {"recordings"}; },
      [](Config& c) { c.webhooks.allow_hosts = {"*"}; },
      [](Config& c) { c.server.max_body_bytes_sync = c.server.max_upload_bytes + 1; },
      [](Config& c) { c.jobs.max_waiting_per_owner = c.jobs.max_waiting + 1; },
      [](Config& c) { c.model.default_name = ""; },
      [](Config& c) {
        c.model.require_gpu = true;
        c.model.device = "cpu";
      },
      [](Config& c) {
        c.model.preload = {"base", "tiny"};
      }};
  int row = 0;
  for (const auto& change : unsafe) EXPECT_NE(refusal(change, true), "") << "row " << row++;
}

TEST(CheckConfig, LetsEveryPageInOnlyWhereKeysAreAskedFor) {
  const auto every_page = [](Config& config) { config.server.allowed_origins = {"*"}; };
  EXPECT_NE(refusal(every_page, false), "");
  EXPECT_EQ(refusal(every_page, true), "");
  const auto every_site = [](Config& config) { config.server.allowed_origins = {"https://*"}; };
  EXPECT_NE(refusal(every_site, false), "");
  EXPECT_EQ(refusal(every_site, true), "");
}

TEST(CheckConfig, TakesWhatIsNamedOneByOne) {
  EXPECT_EQ(refusal([](Config& c) {
              c.server.allowed_hosts = {"scribe.lan", "192.168.1.5"};
              c.server.allowed_origins = {"https://example.org", "http://localhost:3000",
                                          "app://obsidian.md", "vscode-webview://*", "null"};
              c.server.trusted_proxies = {"10.0.0.5", "fd00::/8"};
              c.inputs.allow_paths = {"/srv/recordings", "/home/ada/talks/"};
              c.inputs.url_hosts = {"*"};
              c.webhooks.allow_hosts = {"hooks.lan"};
            }),
            "");
}

TEST(CheckConfig, ARoleNeedsADatabaseAndHasNoLiveSessions) {
  for (const char* role : {"gateway", "worker"}) {
    const auto with = [&](const char* database, const char* wyoming) {
      return refusal([&](Config& config) {
        config.cluster.role = role;
        config.cluster.database = database;
        config.live.wyoming_listen = wyoming;
      });
    };
    EXPECT_EQ(with("postgres://db/scribed", ""), "");
    EXPECT_NE(with("", "").find("no database"), std::string::npos);
    EXPECT_NE(with("postgres://db/scribed", "127.0.0.1:10300").find("wyoming"), std::string::npos);
  }
}

TEST(CheckConfig, WyomingNeedsAnAddressAndNoKey) {
  const auto listen = [](const std::string& address) {
    return refusal([&](Config& config) { config.live.wyoming_listen = address; });
  };
  EXPECT_EQ(listen(""), "");
  EXPECT_EQ(listen("127.0.0.1:10300"), "");
  EXPECT_EQ(listen("0.0.0.0:10300"), "") << "whoever writes that means it";
  EXPECT_NE(listen("10300"), "");
}

}  // namespace
}  // namespace server
