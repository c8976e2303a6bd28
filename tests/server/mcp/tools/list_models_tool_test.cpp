#include "server/models/manifest.h"
#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class ListModelsTool : public test::ToolsFixture {
 protected:
  void install(const std::string& name, std::uint64_t bytes) {
    const auto of_it = store.root() / name;
    std::filesystem::create_directories(of_it);
    const Manifest manifest{.name = name,
                            .format = "safetensors",
                            .source = "import",
                            .origin = "",
                            .installed = "2026-01-31T12:00:00Z",
                            .dims = {{"n_mels", 80}},
                            .files = {{"model.safetensors", bytes, "aa"}}};
    test::write_text(of_it / manifest_file, manifest_text(manifest));
  }
};

TEST_F(ListModelsTool, NamesWhatIsInstalledAndWhichIsMeantByDefault) {
  install("tiny", 75 << 20);
  install("base", 145 << 20);
  const Json result = call_tool("list_models", Json::object());
  EXPECT_EQ(text_of(result), "base (145 MiB), the default\ntiny (75 MiB)\n");
  const Json models = result["structuredContent"]["models"];
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0], (Json{{"name", "base"}, {"bytes", 145 << 20}, {"is_default", true}}));
  EXPECT_EQ(models[1]["is_default"], false);
}

TEST_F(ListModelsTool, SaysHowToInstallOneWhereThereIsNone) {
  const Json result = call_tool("list_models", Json::object());
  EXPECT_FALSE(is_error(result));
  EXPECT_NE(text_of(result).find("scribed models pull base"), std::string::npos);
  EXPECT_NE(result["structuredContent"]["next_step"].get<std::string>().find("pull base"),
            std::string::npos);
  EXPECT_TRUE(result["structuredContent"]["models"].empty());
}

TEST_F(ListModelsTool, TakesNoArguments) {
  EXPECT_TRUE(is_error(call_tool("list_models", {{"all", true}})));
}

}  // namespace
}  // namespace server
