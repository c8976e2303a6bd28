#include "server/web/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "server/web/gzip.h"
#include "tests/server/web/packed.h"

namespace server::web {
namespace {

constexpr char html[] = "<!doctype html><script src=app/0123/main.js></script>";
constexpr char script[] = "console.log(1)";

class PageTest : public testing::Test {
 protected:
  static std::string header(const Response& response, std::string_view name) {
    const auto found =
        std::ranges::find(response.headers, name, &std::pair<std::string, std::string>::first);
    return found == response.headers.end() ? "" : found->second;
  }
  static http::fields gzip_request() {
    http::fields fields;
    fields.set(http::field::accept_encoding, "gzip, deflate");
    return fields;
  }

  const std::string packed_html_ = test::packed(html);
  const std::string packed_script_ = test::packed(script);
  const std::array<PageFile, 2> files_{
      PageFile{"en/main.js", "text/javascript; charset=utf-8", packed_script_},
      PageFile{"index.html", "text/html; charset=utf-8", packed_html_}};
  const Page page_{PageFiles{"0123", files_}};
  const http::fields plain_;
};

TEST_F(PageTest, IsPackedForClientsThatTakeThatAndPlainForOthers) {
  const Response packed = page_.front(gzip_request());
  EXPECT_EQ(packed.body, packed_html_);
  EXPECT_EQ(header(packed, "content-encoding"), "gzip");
  const Response plain = page_.front(plain_);
  EXPECT_EQ(plain.body, html);
  EXPECT_EQ(header(plain, "content-encoding"), "");
  for (const Response& response : {packed, plain}) {
    EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
    EXPECT_EQ(header(response, "vary"), "accept, accept-encoding");
    EXPECT_EQ(header(response, "cache-control"), "no-cache");
  }
}

TEST_F(PageTest, IsNotSentAgainToWhoeverHasIt) {
  http::fields again = gzip_request();
  const std::string etag = header(page_.front(again), "etag");
  again.set(http::field::if_none_match, etag);
  const Response same = page_.front(again);
  EXPECT_EQ(same.status, http::status::not_modified);
  EXPECT_EQ(same.body, "");
  EXPECT_EQ(header(same, "vary"), "accept, accept-encoding");
  // The tag is a strong one, so other bytes have another.
  EXPECT_NE(header(page_.front(plain_), "etag"), etag);
}

TEST_F(PageTest, AllowsNoCodeOfOthersAndNoFrame) {
  const std::string policy = header(page_.front(plain_), "content-security-policy");
  for (const char* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                           "require-trusted-types-for 'script'"}) {
    EXPECT_NE(policy.find(part), policy.npos) << part;
  }
  EXPECT_EQ(policy.find("unsafe"), policy.npos);
  EXPECT_EQ(policy.find("http"), policy.npos);
}

TEST_F(PageTest, HasFilesThatBrowsersKeepForEver) {
  const auto packed = page_.file("0123/en/main.js", gzip_request());
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->body, packed_script_);
  EXPECT_EQ(header(*packed, "content-encoding"), "gzip");
  EXPECT_EQ(header(*packed, "cache-control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(header(*packed, "vary"), "accept-encoding");
  const auto plain = page_.file("0123/en/main.js", plain_);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->body, script);
  EXPECT_EQ(plain->content_type, "text/javascript; charset=utf-8");
}

TEST_F(PageTest, HasNoFilesOfAnotherVersion) {
  for (const char* path : {"", "0123", "0123/", "0124/en/main.js", "0123en/main.js", "en/main.js",
                           "0123/main.js", "0123/index.html", "0123//en/main.js"}) {
    EXPECT_FALSE(page_.file(path, plain_)) << path;
  }
}

TEST_F(PageTest, SaysWhatIsMissingWhereItWasNotBuilt) {
  const Page none{PageFiles{}};
  for (const http::fields& request : {plain_, gzip_request()}) {
    const Response front = none.front(request);
    EXPECT_NE(front.body.find("built without its page"), std::string::npos);
    EXPECT_NE(front.body.find("href=\"docs\""), std::string::npos);
    EXPECT_EQ(header(front, "content-encoding"), "");
  }
  EXPECT_FALSE(none.file("", plain_));
  EXPECT_FALSE(none.file("/en/main.js", plain_));
}

TEST(PageOfThisProgram, HasEveryFileThatItNames) {
  const PageFiles page = page_files();
  if (page.files.empty()) GTEST_SKIP() << "this build has no page: Node is not installed";
  const auto index = std::ranges::find(page.files, "index.html", &PageFile::name);
  ASSERT_NE(index, page.files.end());
  const std::string text = inflated(index->gzip);
  for (const char* name : {"start.js", "style.css"}) {
    EXPECT_NE(text.find("app/" + std::string(page.hash) + "/" + name), text.npos) << name;
  }
  for (const char* name : {"start.js", "style.css", "en/main.js", "de/main.js"}) {
    EXPECT_NE(std::ranges::find(page.files, name, &PageFile::name), page.files.end()) << name;
  }
}

}  // namespace
}  // namespace server::web
