#include "server/config/folders.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
}

TEST(ModelsFolder, IsWhereTheUserSays) {
  EXPECT_EQ(models_folder(environment({{"SCRIBED_DATA_DIR", "/srv/d"}, {"XDG_DATA_HOME", "/x"}})),
            "/srv/d/models");
}

TEST(ModelsFolder, IsTheSystemsWhereThatCanBeWritten) {
  const test::TemporaryFolder system;
  EXPECT_EQ(models_folder(environment({{"HOME", "/home/u"}}), system.path()),
            "/home/u/.local/share/scribed/models");
  std::filesystem::create_directory(system.path() / "models");
  EXPECT_EQ(models_folder(environment({{"HOME", "/home/u"}}), system.path()),
            system.path() / "models");
}

TEST(ModelsFolder, FollowsTheXdgFolderUnlessItIsRelative) {
  const test::TemporaryFolder none;
  EXPECT_EQ(models_folder(environment({{"XDG_DATA_HOME", "/x"}, {"HOME", "/h"}}), none.path()),
            "/x/scribed/models");
  EXPECT_EQ(models_folder(environment({{"XDG_DATA_HOME", "x"}, {"HOME", "/h"}}), none.path()),
            "/h/.local/share/scribed/models");
}

TEST(PacksFolders, AreTheWritersOwnAndThenTheMachines) {
  using Folders = std::vector<std::filesystem::path>;
  const test::TemporaryFolder system;
  EXPECT_EQ(packs_folders(environment({{"SCRIBED_DATA_DIR", "/srv/d"}}), system.path()),
            (Folders{"/srv/d/packs", system / "packs"}));
  EXPECT_EQ(packs_folders(environment({{"HOME", "/home/u"}}), system.path()),
            Folders{system / "packs"});
  const auto nowhere = system / "none";
  EXPECT_EQ(packs_folders(environment({{"HOME", "/home/u"}}), nowhere),
            (Folders{"/home/u/.local/share/scribed/packs", nowhere / "packs"}));
}

TEST(CacheFolder, OfRootIsNotInAnotherUsersFolder) {
  const test::TemporaryFolder folder;
  const auto values = environment({{"SCRIBED_DATA_DIR", folder.path()}, {"HOME", "/root"}});
  EXPECT_EQ(cache_folder(values), folder / "cache");
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(folder.path().c_str(), 4321, 4321), 0);
  EXPECT_EQ(cache_folder(values), "/root/.cache/scribed");
}

TEST(StateFolder, IsWhereTheSystemKeepsSuchThings) {
  std::map<std::string, std::string> variables;
  const auto folder = [&](bool is_root, const Config& config = {}) {
    return state_folder(
        config, [&](const char* name) { return variables[name]; }, is_root);
  };
  EXPECT_EQ(folder(true), "/var/lib/scribed");
  EXPECT_EQ(folder(false), ".scribed");
  variables["HOME"] = "/home/ada";
  EXPECT_EQ(folder(false), "/home/ada/.local/state/scribed");
  variables["XDG_STATE_HOME"] = "relative";
  EXPECT_EQ(folder(false), "/home/ada/.local/state/scribed");
  variables["XDG_STATE_HOME"] = "/state";
  EXPECT_EQ(folder(false), "/state/scribed");
  variables["STATE_DIRECTORY"] = "/var/lib/a:/var/lib/b";
  EXPECT_EQ(folder(true), "/var/lib/a");
  Config config;
  config.jobs.state_folder = "/mine";
  EXPECT_EQ(folder(true, config), "/mine");
}

TEST(LocalSockets, AreTheUsersOwnAndThenTheMachines) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(local_sockets(environment({{"XDG_RUNTIME_DIR", "/run/user/7"}})),
            (Paths{"/run/user/7/scribed/scribed.sock", "/run/scribed/scribed.sock"}));
  EXPECT_EQ(local_sockets(environment({})), (Paths{"/run/scribed/scribed.sock"}));
  EXPECT_EQ(local_sockets(environment({{"XDG_RUNTIME_DIR", "here"}})),
            (Paths{"/run/scribed/scribed.sock"}));
}

}  // namespace
}  // namespace server
