#include "server/api/azure_path.h"

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"

namespace server {
namespace {

using test::FakeExchange;

TEST(AzurePath, MeansOneOfOpenAi) {
  struct Row {
    const char* path;
    const char* meant;
    const char* deployment;
  };
  for (const Row& row :
       {Row{"/openai/deployments/base/audio/transcriptions", "/v1/audio/transcriptions", "base"},
        Row{"/openai/deployments/a/b/audio/translations", "/v1/audio/translations", "a/b"},
        Row{"/openai/realtime", "/v1/realtime", ""}, Row{"/openai/models", "/v1/models", ""},
        Row{"/openai/v1/audio/transcriptions", "/v1/audio/transcriptions", ""},
        Row{"/openai/deployments/audio/transcriptions", "/openai/deployments/audio/transcriptions",
            ""},
        Row{"/openai/deployments/base/chat/completions",
            "/openai/deployments/base/chat/completions", ""},
        Row{"/v1/models", "/v1/models", ""}, Row{"/openai", "/openai", ""}}) {
    const auto meant = meant_path(row.path);
    EXPECT_EQ(meant.path, row.meant);
    EXPECT_EQ(meant.deployment, row.deployment) << row.path;
  }
}

class AzureRoutes : public test::ApiFixture {
 protected:
  static FakeExchange form(const std::string& model, const std::string& fields = "") {
    auto exchange = test::form_request("/openai/deployments/" + model + "/audio/transcriptions",
                                       test::form_file("sound") + fields);
    exchange.queries = {{"api-version", "2024-06-01"}};
    return exchange;
  }
};

TEST_F(AzureRoutes, TheDeploymentIsTheModel) {
  auto exchange = form("base", test::form_field("model", "whisper-1"));
  test::play_beside(io, jobs, {.said = test::two_segments()});
  EXPECT_EQ(status_of(ask(exchange)), 200U) << exchange.answer.body;
  EXPECT_EQ(json_of(exchange)["text"], "Hello there. Goodbye.");
  auto unknown = form("huge");
  EXPECT_EQ(status_of(ask(unknown)), 404U);
  EXPECT_EQ(error_of(unknown), "model_not_found");
}

TEST_F(AzureRoutes, TheKeyIsInAFieldOfItsOwn) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]"));
  FakeExchange models(http::verb::get, "/openai/models");
  models.queries = {{"api-version", "2024-06-01"}};
  EXPECT_EQ(status_of(ask(models)), 401U);
  FakeExchange with_key(http::verb::get, "/openai/models");
  with_key.queries = models.queries;
  with_key.fields.set("api-key", "secret-key-of-ada");
  EXPECT_EQ(status_of(ask(with_key)), 200U) << with_key.answer.body;
  FakeExchange wrong_key(http::verb::get, "/openai/models");
  wrong_key.fields.set("api-key", "secret-key-of-bob");
  EXPECT_EQ(status_of(ask(wrong_key)), 401U);
}

}  // namespace
}  // namespace server
