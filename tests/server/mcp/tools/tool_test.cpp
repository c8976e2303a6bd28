#include "server/mcp/tools/tool.h"

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Refusal, SaysWhatWentWrongAndWhatToDo) {
  const auto said = [](const Error& error) {
    const Json result = std::get<Json>(refusal(error));
    EXPECT_EQ(result["isError"], true);
    return result["content"][0]["text"].get<std::string>();
  };
  EXPECT_EQ(said({"code", "It failed.", "Try again."}), "It failed. Try again.");
  EXPECT_EQ(said({"code", "It failed.", ""}), "It failed.");
  EXPECT_EQ(said({"code", "a\n\nNote: b", "c\nd"}), "A  Note: b. C d.");
}

class TimeOfACall : public test::ToolsFixture {
 protected:
  milliseconds left_after(std::chrono::seconds taken) {
    const ToolSettings settings{.wait = std::chrono::seconds(45)};
    const Json none = Json::object();
    const mcp::Caller caller;
    const ToolCall call{
        services, submission, settings, none, caller, context, steady_clock::now() - taken};
    return call.time_left();
  }
};

TEST_F(TimeOfACall, IsThatOfAllItsWaitsTogether) {
  EXPECT_LE(left_after(std::chrono::seconds(0)), std::chrono::seconds(45));
  EXPECT_LE(left_after(std::chrono::seconds(40)), std::chrono::seconds(5));
  EXPECT_GT(left_after(std::chrono::seconds(10)), milliseconds(0));
  EXPECT_EQ(left_after(std::chrono::seconds(46)), milliseconds(0)) << "never less than nothing";
}

}  // namespace
}  // namespace server
