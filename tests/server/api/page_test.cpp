#include "server/base/version.h"
#include "server/web/page_files.h"
#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using PageRoutes = test::ApiFixture;
using test::FakeExchange;

TEST_F(PageRoutes, TheFrontIsAPageForBrowsersAndTheVersionForPrograms) {
  const auto program = get("/");
  EXPECT_EQ(json_of(program)["version"], std::string("scribed ") + program_version());
  EXPECT_EQ(program.answer.content_type, "application/json");
  EXPECT_EQ(program.header("vary"), "accept, accept-encoding");
  FakeExchange browser(http::verb::get, "/");
  browser.fields.set(http::field::accept, "text/html,application/xhtml+xml");
  EXPECT_EQ(status_of(ask(browser)), 200U);
  EXPECT_EQ(browser.answer.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(browser.answer.body.find("<!doctype html>"), 0U);
}

TEST_F(PageRoutes, FilesAreThoseOfThisVersion) {
  EXPECT_EQ(status_of(get("/app/000000000000/style.css")), 404U);
  const web::PageFiles page = web::page_files();
  if (page.files.empty()) GTEST_SKIP() << "this build has no page: Node is not installed";
  const auto style = get("/app/" + std::string(page.hash) + "/style.css");
  EXPECT_EQ(status_of(style), 200U);
  EXPECT_EQ(style.answer.content_type, "text/css; charset=utf-8");
}

}  // namespace
}  // namespace server
