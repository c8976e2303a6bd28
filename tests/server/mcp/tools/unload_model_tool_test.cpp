#include "tests/server/mcp/tools/models_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using mcp::Json;

class UnloadModelTool : public test::ModelTools {};

TEST_F(UnloadModelTool, GivesTheMemoryBackOnce) {
  call_tool("load_model", {{"model", "base"}});
  const Json first = call_tool("unload_model", {{"model", "base"}});
  EXPECT_EQ(first["structuredContent"], (Json{{"model", "base"}, {"unloaded", true}}));
  test::run_until(io, [&] { return workers.loaded().empty(); });
  const Json second = call_tool("unload_model", {{"model", "base"}});
  EXPECT_FALSE(is_error(second));
  EXPECT_EQ(second["structuredContent"]["unloaded"], false);
  EXPECT_EQ(text_of(second), "base was not loaded.");
}

TEST_F(UnloadModelTool, AlsoByTheNamesThatMeanTheDefaultModel) {
  call_tool("load_model", {{"model", "whisper-1"}});
  EXPECT_EQ(call_tool("unload_model", {{"model", "whisper-1"}})["structuredContent"]["unloaded"],
            true);
}

TEST_F(UnloadModelTool, NeedsTheNameOfAModelThatThereIs) {
  EXPECT_TRUE(is_error(call_tool("unload_model", Json::object())));
  EXPECT_TRUE(is_error(call_tool("unload_model", {{"model", "none"}})));
}

}  // namespace
}  // namespace server
