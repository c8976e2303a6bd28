#include "server/bridge/bridged_tools.h"

#include <gtest/gtest.h>

namespace server::bridge {
namespace {

Json some_tools() {
  return {{"tools",
           {{{"name", "transcribe"},
             {"description", "Give exactly one of upload and audio_base64. It uploads nothing."},
             {"inputSchema",
              {{"type", "object"},
               {"properties",
                {{"upload", {{"type", "string"}, {"description", "A handle"}}},
                 {"audio_base64",
                  {{"type", "string"}, {"description", "Short sound. Prefer upload."}}}}}}}},
            {{"name", "status"},
             {"description", "No upload here"},
             {"inputSchema", {{"type", "object"}, {"properties", Json::object()}}}}}}};
}

Json call(Json arguments) {
  return {{"jsonrpc", "2.0"},
          {"id", 7},
          {"method", "tools/call"},
          {"params", {{"name", "transcribe"}, {"arguments", std::move(arguments)}}}};
}

TEST(BridgedTools, AToolThatTakesUploadsTakesPaths) {
  Json result = some_tools();
  offer_paths(result, {"/home/ada", "/srv/talks"});
  const Json& tool = result["tools"][0];
  const Json& properties = tool["inputSchema"]["properties"];
  EXPECT_FALSE(properties.contains("upload"));
  EXPECT_EQ(properties["path"]["description"],
            "Path of an audio or video file, below /home/ada or /srv/talks");
  EXPECT_EQ(properties["audio_base64"]["description"], "Short sound. Prefer path.");
  EXPECT_EQ(tool["description"], "Give exactly one of path and audio_base64. It uploads nothing.");
}

TEST(BridgedTools, OtherToolsStayAsTheyAre) {
  Json result = some_tools();
  const Json before = result["tools"][1];
  offer_paths(result, {"/home/ada"});
  EXPECT_EQ(result["tools"][1], before);
}

TEST(BridgedTools, InstructionsNamePathsToo) {
  Json result{{"instructions", "Call transcribe with exactly one of upload and audio_base64."}};
  offer_paths(result, {});
  EXPECT_EQ(result["instructions"], "Call transcribe with exactly one of path and audio_base64.");
}

TEST(BridgedTools, WherePathsAreNamedAlreadyTheyAreNamedOnce) {
  Json result{{"instructions", "Give exactly one of path, upload and audio_base64."}};
  offer_paths(result, {});
  EXPECT_EQ(result["instructions"], "Give exactly one of path and audio_base64.");
}

TEST(BridgedTools, WhatIsNoListOfToolsIsLeftAlone) {
  for (Json odd : {Json(), Json(3), Json{{"tools", 3}}, Json{{"tools", {1, nullptr}}},
                   Json{{"tools", {{{"inputSchema", {{"properties", 1}}}}}}}}) {
    const Json before = odd;
    offer_paths(odd, {"/"});
    EXPECT_EQ(odd, before);
  }
}

TEST(BridgedTools, AnUploadTakesThePlaceOfThePath) {
  Json message = call({{"path", "talk.wav"}, {"language", "en"}});
  EXPECT_EQ(named_path(message), "talk.wav");
  name_upload(message, "upload://abc");
  EXPECT_EQ(message, call({{"upload", "upload://abc"}, {"language", "en"}}));
}

TEST(BridgedTools, UploadsTakeThePlaceOfClipsOfKnownSpeakers) {
  Json message = call({{"known_speakers",
                        {{"Ada", "/sounds/ada.wav"},
                         {"Grace", "data:;base64,aGVsbG8="},
                         {"Hedy", "upload://x"},
                         {"Joan", 1}}}});
  EXPECT_EQ(named_clips(message), (std::map<std::string, std::string>{{"Ada", "/sounds/ada.wav"}}));
  name_clip_upload(message, "Ada", "upload://y");
  const Json& speakers = message["params"]["arguments"]["known_speakers"];
  EXPECT_EQ(speakers["Ada"], "upload://y");
  EXPECT_EQ(speakers["Grace"], "data:;base64,aGVsbG8=");
  EXPECT_TRUE(named_clips(message).empty());
}

TEST(BridgedTools, ClipsThatAreNoneAreLeftToTheDaemon) {
  EXPECT_TRUE(named_clips(call({{"known_speakers", {"/sounds/ada.wav"}}})).empty());
  EXPECT_TRUE(named_clips(call(Json::object())).empty());
  Json many = Json::object();
  for (int i = 0; i < 17; ++i) many["S" + std::to_string(i)] = "/sounds/ada.wav";
  EXPECT_TRUE(named_clips(call({{"known_speakers", many}})).empty());
}

TEST(BridgedTools, OnlyCallsOfToolsNamePaths) {
  EXPECT_FALSE(named_path(call({{"upload", "upload://abc"}})));
  EXPECT_FALSE(named_path(call({{"path", 3}})));
  Json other = call({{"path", "talk.wav"}});
  other["method"] = "prompts/get";
  EXPECT_FALSE(named_path(other));
  EXPECT_FALSE(named_path(Json::array({call({{"path", "talk.wav"}})})));
  EXPECT_FALSE(named_path(Json()));
}

TEST(BridgedTools, ARefusalIsAResultThatTheModelReads) {
  const Json answer = refused_call(call({{"path", "/etc/shadow"}}), "It may not be read.");
  EXPECT_EQ(answer["id"], 7);
  EXPECT_EQ(answer["result"]["isError"], true);
  EXPECT_EQ(answer["result"]["content"][0]["text"], "It may not be read.");
  EXPECT_FALSE(answer["result"].contains("resultType"));
}

TEST(BridgedTools, ARefusalOfAModernClientIsComplete) {
  Json message = call({{"path", "/etc/shadow"}});
  message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  EXPECT_EQ(refused_call(message, "No.")["result"]["resultType"], "complete");
}

}  // namespace
}  // namespace server::bridge
