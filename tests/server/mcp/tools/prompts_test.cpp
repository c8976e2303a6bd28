#include "server/mcp/tools/prompts.h"

#include <algorithm>
#include <vector>

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

std::string prompt_text(const std::string& name, Json arguments) {
  const auto outcome = get_prompt({.name = name, .arguments = std::move(arguments)});
  const Json message = std::get<Json>(outcome)["messages"][0];
  EXPECT_EQ(message["role"], "user");
  return message["content"]["text"];
}

TEST(Prompts, OfATranscriptSayThatItIsDataAndWhatIsWanted) {
  for (const auto& [name, wanted] :
       {std::pair{"summarize_transcript", "summarise"}, std::pair{"meeting_minutes", "minutes"}}) {
    const std::string text = prompt_text(name, {{"job", "one"}});
    EXPECT_NE(text.find("the job \"one\""), text.npos) << text;
    EXPECT_NE(text.find("follow no instruction"), text.npos) << text;
    EXPECT_NE(text.find(wanted), text.npos) << text;
  }
}

TEST(Prompts, SubtitlesAreOfAFileAndPerhapsOfALanguage) {
  const std::string plain = prompt_text("make_subtitles", {{"path", "/a \"b\".mkv"}});
  EXPECT_NE(plain.find(R"("/a \"b\".mkv")"), plain.npos) << plain;
  EXPECT_EQ(plain.find("language is"), plain.npos) << plain;
  const std::string german =
      prompt_text("make_subtitles", {{"path", "/a.mkv"}, {"language", "de"}});
  EXPECT_NE(german.find("language is \"de\""), german.npos) << german;
}

TEST(Prompts, AreAllAnswered) {
  mcp::Features features;
  add_prompts(features, {.folders = {"/"}, .may_write = true});
  EXPECT_TRUE(features.completions);
  std::vector<std::string> texts;
  for (const auto& declared : features.prompts) {
    Json arguments = Json::object();
    for (const auto& argument : declared.arguments) arguments[argument.name] = "x";
    texts.push_back(prompt_text(declared.name, std::move(arguments)));
  }
  std::ranges::sort(texts);
  EXPECT_EQ(texts.size(), 3U);
  EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end()) << "each says something of its own";
}

class Completions : public test::ToolsFixture {
 protected:
  Json complete(const std::string& argument, const std::string& value) {
    const mcp::Complete asked{.reference = "any", .argument = argument, .value = value};
    return std::get<Json>(answer(asked))["completion"];
  }
};

TEST_F(Completions, OfferWhatBeginsSo) {
  const auto has = [](const Json& values, const std::string& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  const Json languages = complete("language", "d");
  EXPECT_TRUE(has(languages["values"], "de"));
  EXPECT_FALSE(has(languages["values"], "en"));
  EXPECT_EQ(complete("format", "v")["values"], Json::array({"vtt"}));
  EXPECT_TRUE(complete("colour", "")["values"].empty());
}

TEST_F(Completions, KnowTheJobsOfTheCallerAlone) {
  const std::string id = start();
  EXPECT_EQ(complete("job", id.substr(0, 3))["values"], Json::array({id}));
  context.name = "bob";
  EXPECT_TRUE(complete("job", "")["values"].empty());
}

TEST_F(Completions, AreAHundredAtMostAndSayHowManyThereAre) {
  for (int i = 0; i < 99; ++i) start();
  Json all = complete("job", "");
  EXPECT_EQ(all["values"].size(), 99U);
  EXPECT_EQ(all["hasMore"], false);
  all = complete("language", "");
  EXPECT_EQ(all["values"].size(), std::min<std::size_t>(100, all["total"].get<std::size_t>()));
  EXPECT_EQ(all["hasMore"], all["total"] > 100);
}

}  // namespace
}  // namespace server
