#include "server/config/named_key_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "server/config/config_file.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class NamedKeyFile : public testing::Test {
 protected:
  // Returns what a configuration with the key file has as server.key_file.
  std::string named_in(const std::string& text, const std::string& keys = "/etc/scribed/keys") {
    const auto named = with_key_file(text, keys);
    if (!named) return named.error().code;
    std::ofstream(folder_ / "config.toml") << *named;
    Config config;
    const auto applied = apply_file(folder_ / "config.toml", config);
    if (!applied) return applied.error().message;
    return config.server.key_file;
  }
  KeyFilePlace place(const std::map<std::string, std::string>& variables, bool is_root) {
    ConfigSources sources{.environment = [&](const char* name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string() : found->second;
    }};
    sources.system_file = folder_ / "system.toml";
    const auto found = place_of_key_file(sources, is_root);
    return found ? *found : KeyFilePlace{};
  }

  test::TemporaryFolder folder_{};
};

TEST_F(NamedKeyFile, IsNamedInTheTableOfTheServer) {
  EXPECT_EQ(named_in(""), "/etc/scribed/keys");
  EXPECT_EQ(named_in("[server]\nlisten = [\"127.0.0.1:9000\"]"), "/etc/scribed/keys");
  EXPECT_EQ(named_in("# a comment\n[model]\ndefault = \"base\"\n"), "/etc/scribed/keys");
  EXPECT_EQ(named_in("[model]\ndefault = \"base\"\n\n  [server]  # ours\n#key_file = \"\"\n"),
            "/etc/scribed/keys");
  EXPECT_EQ(named_in("[server]\n", "/a \"quoted\\ folder/keys"), "/a \"quoted\\ folder/keys");
}

TEST_F(NamedKeyFile, NothingIsAddedThatWouldBreakTheConfiguration) {
  EXPECT_EQ(named_in("[server]\nkey_file = \"\"\n"), "bad_config");
  EXPECT_EQ(named_in("server.listen = [\"127.0.0.1:9000\"]\n"), "bad_config");
}

TEST_F(NamedKeyFile, LiesBesideTheConfigurationThatIsMeant) {
  const std::map<std::string, std::string> home{{"HOME", "/home/ada"}};
  EXPECT_EQ(place(home, true).keys, "/home/ada/.config/scribed/keys");
  std::ofstream(folder_ / "system.toml") << "";
  EXPECT_EQ(place(home, true).config, folder_ / "system.toml");
  EXPECT_EQ(place(home, false).config, "/home/ada/.config/scribed/config.toml");
  EXPECT_EQ(place({{"SCRIBED_CONFIG", "/srv/own.toml"}}, true).keys, "/srv/keys");
  EXPECT_EQ(place({}, false).keys, "");
}

}  // namespace
}  // namespace server
