#include "server/store/data_folder.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/server/store/temporary_store.h"

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
  const testing::TemporaryFolder system;
  EXPECT_EQ(models_folder(environment({{"HOME", "/home/u"}}), system.path()),
            "/home/u/.local/share/scribed/models");
  std::filesystem::create_directory(system.path() / "models");
  EXPECT_EQ(models_folder(environment({{"HOME", "/home/u"}}), system.path()),
            system.path() / "models");
}

TEST(ModelsFolder, FollowsTheXdgFolderUnlessItIsRelative) {
  const testing::TemporaryFolder none;
  EXPECT_EQ(models_folder(environment({{"XDG_DATA_HOME", "/x"}, {"HOME", "/h"}}), none.path()),
            "/x/scribed/models");
  EXPECT_EQ(models_folder(environment({{"XDG_DATA_HOME", "x"}, {"HOME", "/h"}}), none.path()),
            "/h/.local/share/scribed/models");
}

}  // namespace
}  // namespace server
