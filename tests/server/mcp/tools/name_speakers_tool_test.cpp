#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class NameSpeakersTool : public test::ToolsFixture {
 protected:
  // A recording in which A says the first sentence and B the second.
  std::string conversation() {
    const std::string id = start();
    auto segments = said(2);
    segments[0].speaker = "A";
    segments[1].speaker = "B";
    turns = {{0, 1, "A"}, {1, 2, "B"}};
    transcribe_next(std::move(segments));
    return id;
  }
  Json name(const std::string& id, const Json& names) {
    return call_tool("name_speakers", {{"job", id}, {"names", names}});
  }
};

TEST_F(NameSpeakersTool, TheNamesStandInWhateverIsReadFromThenOn) {
  const std::string id = conversation();
  const Json named = name(id, {{"A", "Anna"}});
  ASSERT_FALSE(is_error(named)) << named;
  EXPECT_EQ(named["structuredContent"]["speaker_names"], (Json{{"A", "Anna"}, {"B", "B"}}));
  EXPECT_EQ(text_of(named).find("Anna"), std::string::npos) << "names of others are data";
  EXPECT_EQ(spoken_in(named), "A is Anna\nB is B\n");
  EXPECT_EQ(spoken_in(call_tool("get_job", {{"job", id}})), "Anna: hello\nB: hello\n");
  const Json rttm = call_tool("get_job", {{"job", id}, {"format", "rttm"}});
  EXPECT_EQ(spoken_in(rttm),
            "SPEAKER talk 1 0.000 1.000 <NA> <NA> Anna <NA> <NA>\n"
            "SPEAKER talk 1 1.000 1.000 <NA> <NA> B <NA> <NA>\n");
  const Json found = call_tool("search_transcripts", {{"query", "anna hello"}});
  EXPECT_EQ(found["structuredContent"]["found"][0]["passages"][0]["speaker"], "Anna");
  const auto resource = answer(mcp::ReadResource{.uri = "transcript://" + id + ".vtt"});
  const std::string vtt = std::get<Json>(resource)["contents"][0]["text"];
  EXPECT_NE(vtt.find("<v Anna>"), std::string::npos);
  EXPECT_EQ(name(id, {{"A", nullptr}})["structuredContent"]["speaker_names"]["A"], "A");
}

TEST_F(NameSpeakersTool, SaysWhichSpeakersThereAre) {
  const std::string id = conversation();
  const Json unknown = name(id, {{"C", "Carl"}});
  EXPECT_TRUE(is_error(unknown));
  EXPECT_NE(text_of(unknown).find("Its speakers are: A, B."), std::string::npos);
  EXPECT_TRUE(is_error(name(id, {{"A", 1}})));
  EXPECT_TRUE(is_error(name(id, Json::array())));
  EXPECT_TRUE(is_error(call_tool("name_speakers", {{"job", id}})));
  EXPECT_TRUE(is_error(name("none", {{"A", "Anna"}})));
  context.name = "bob";
  EXPECT_TRUE(is_error(name(id, {{"A", "Anna"}})));
}

TEST_F(NameSpeakersTool, RttmIsOfDiarizedRecordingsAlone) {
  const std::string id = start();
  transcribe_next(said(1));
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}, {"format", "rttm"}})));
  EXPECT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(
      answer(mcp::ReadResource{.uri = "transcript://" + id + ".rttm"})));
  const Json early =
      call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}, {"format", "rttm"}});
  EXPECT_NE(text_of(early).find("Set diarize to true"), std::string::npos);
}

}  // namespace
}  // namespace server
