#include "server/mcp/tools/sound_source.h"

#include "server/inputs/url_fetcher.h"
#include "tests/server/mcp/tools/tools_fixture.h"
#include "tests/server/outbound/loopback_server.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class SoundSources : public test::ToolsFixture {};

TEST_F(SoundSources, RefusalsTellHowToCallThemRightly) {
  struct Case {
    Json arguments;
    const char* part;
  };
  const std::string path = (sounds / "talk.mp3").string();
  for (const auto& c :
       {Case{Json::object(), "Give exactly one of path, url, upload and audio_base64."},
        Case{{{"path", path}, {"upload", "x"}}, "exactly one of"},
        Case{{{"path", "/etc/passwd"}}, "outside the folders"},
        Case{{{"path", (sounds / "none.mp3").string()}}, "No such file"},
        Case{{{"path", "file://elsewhere/talk.mp3"}}, "no address of a file on this machine"},
        Case{{{"path", "file:///a%zz"}}, "no address of a file on this machine"},
        Case{{{"path", path}, {"timestamps", "letter"}}, "one of: none, segment, word"},
        Case{{{"path", path}, {"language", "klingon"}}, "'klingon' is not a language"},
        Case{{{"path", path}, {"beam", 5}}, "There is no argument beam"},
        Case{{{"file", path}}, "There is no argument file. Known are: audio_base64,"},
        Case{{{"url", "https://example.org/a.mp3"}}, "does not download URLs"},
        Case{{{"upload", "upload://none"}}, "There is no such upload"},
        Case{{{"path", path}, {"prompt", std::string(8193, 'a')}},
             "argument prompt has 8193 bytes"},
        Case{{{"path", path}, {"languages", Json::array_t(101, "de")}}, "may have 100 at most"},
        Case{{{"audio_base64", "QQ=="}, {"file_name", std::string(256, 'a')}}, "file_name has 256"},
        Case{{{"audio_base64", "???"}}, "is not Base64"},
        Case{{{"audio_base64", std::string(1500000, 'A')}}, "more than"}}) {
    const Json result = call_tool("transcribe", c.arguments);
    EXPECT_TRUE(is_error(result)) << c.part;
    EXPECT_NE(text_of(result).find(c.part), std::string::npos) << text_of(result);
  }
}

TEST_F(SoundSources, PathsAreWrittenInAllWaysThatPeopleHave) {
  make_tools({.home = folder.path().string()});
  for (const std::string& path :
       {(sounds / "talk.mp3").string(), std::string("sounds/talk.mp3"),
        std::string("~/sounds/talk.mp3"), "file://" + (sounds / "talk.mp3").string(),
        "file://localhost" + (folder / "sounds").string() + "/%74alk.mp3"}) {
    const Json result = call_tool("transcribe", {{"path", path}, {"wait_s", 0}});
    ASSERT_FALSE(is_error(result)) << path << result;
    const auto job = run(io, jobs.find(result["structuredContent"]["job"], "ada")).value();
    EXPECT_EQ(job->request.input, (sounds / "talk.mp3").string()) << path;
  }
}

TEST_F(SoundSources, WhatIsNotAllowedIsNoArgument) {
  make_tools_as({.takes_uploads = true});
  const Json refused = call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}});
  EXPECT_NE(text_of(refused).find("There is no argument path. Known are:"), std::string::npos);
  EXPECT_EQ(text_of(refused).find("url"), std::string::npos) << text_of(refused);
  const Json none = call_tool("transcribe", Json::object());
  EXPECT_NE(text_of(none).find("Give exactly one of upload and audio_base64."), std::string::npos);
}

TEST_F(SoundSources, SoundInTheCallItselfBecomesAJobsFile) {
  const Json result =
      call_tool("transcribe", {{"audio_base64", "aGVsbG8="}, {"file_name", "a.wav"}});
  ASSERT_FALSE(is_error(result)) << result;
  const auto job = run(io, jobs.find(result["structuredContent"]["job"], "ada")).value();
  EXPECT_EQ(test::read_text(job->request.input), "hello");
  EXPECT_TRUE(job->request.input_is_ours);
  EXPECT_EQ(job->request.title, "a.wav");
}

TEST_F(SoundSources, NothingIsFetchedForAJobThatHasNoPlace) {
  make_tools({.wait = std::chrono::seconds(30)});
  test::LoopbackServer web([](const std::string&) { return test::http_answer("200 OK", "x"); });
  UrlFetcher fetcher({.allow_private = true}, spool);
  services.urls = &fetcher;
  EXPECT_FALSE(is_error(call_tool("transcribe", {{"url", web.url("/a.mp3")}, {"wait_s", 0}})));
  const Json other{{"path", (sounds / "talk.mp3").string()}, {"wait_s", 0}};
  for (int waiting = 1; waiting < JobLimits().max_waiting_per_owner; ++waiting) {
    call_tool("transcribe", other);
  }
  const Json result = call_tool("transcribe", {{"url", web.url("/b.mp3")}, {"wait_s", 0}});
  EXPECT_TRUE(is_error(result)) << result;
  EXPECT_EQ(web.requests().size(), 1U);
}

}  // namespace
}  // namespace server
