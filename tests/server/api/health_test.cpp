#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using Health = test::ApiFixture;

TEST_F(Health, IsReadyWhereNothingIsWrong) {
  EXPECT_EQ(get("/livez").answer.body, "ok\n");
  EXPECT_EQ(get("/readyz").answer.body, "ok\n");
  EXPECT_EQ(json_of(get("/health"))["status"], "ok");
}

TEST_F(Health, TellsEverybodyOnlyWhatEverybodyMayKnow) {
  not_ready = NotReady{"/srv/scribed is full", "the disk is full"};
  EXPECT_EQ(status_of(get("/livez")), 200U);
  const auto ready = get("/readyz");
  EXPECT_EQ(status_of(ready), 503U);
  EXPECT_EQ(ready.answer.body, "not ready: the disk is full\n");
  const auto health = get("/health");
  EXPECT_EQ(status_of(health), 503U);
  EXPECT_EQ(json_of(health)["error"], "not ready: the disk is full");
}

TEST_F(Health, CountsJobsForPrometheus) {
  const auto answer = get("/metrics");
  EXPECT_TRUE(answer.answer.content_type.starts_with("text/plain; version=0.0.4"));
  EXPECT_NE(answer.answer.body.find("scribed_"), std::string::npos);
}

}  // namespace
}  // namespace server
