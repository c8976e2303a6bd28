#include "server/packs/package_index.h"

#include <gtest/gtest.h>

#include <map>

namespace server {
namespace {

Environment with(std::map<std::string, std::string> variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  };
}

TEST(PackageIndex, TheNamedOneComesBeforeTheEnvironments) {
  const auto environment =
      with({{"PIP_INDEX_URL", "http://mirror/simple/"}, {"SSL_CERT_FILE", "/certificates"}});
  EXPECT_EQ(package_index("http://named/", environment).address, "http://named");
  EXPECT_EQ(package_index("", environment).address, "http://mirror/simple");
  EXPECT_EQ(package_index("", environment).http.certificates, "/certificates");
}

TEST(PackageIndex, WithoutOneNothingIsFetched) {
  const auto address = wheel_address({}, {.name = "a"}, ::testing::TempDir(), {});
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, StoreErrc::unreachable);
}

struct Page {
  const char* text;
  const char* found;  // empty: nothing
};

TEST(PackageIndex, LinksAreFoundAsIndexesWriteThem) {
  for (const auto& [text, found] : {
           Page{R"(<a href="a-1.whl">a</a>)", "http://host/simple/a/a-1.whl"},
           Page{R"(<a href="../../files/x/a-1.whl#sha256=00">)", "http://host/files/x/a-1.whl"},
           Page{R"(<a data-x="1" href='/f/a-1.whl'>)", "http://host/f/a-1.whl"},
           Page{R"(<a href="https://cdn/p/a-1.whl?k=1&amp;l=2#sha256=00">)",
                "https://cdn/p/a-1.whl?k=1&l=2"},
           Page{R"(<a href="a-2.whl"><a href="f/a-1.whl">)", "http://host/simple/a/f/a-1.whl"},
           Page{R"(<a href="a%2D1.whl">)", "http://host/simple/a/a%2D1.whl"},
           Page{R"(<a href="a-1.whl.metadata">)", ""},
           Page{R"(<a href="xa-1.whl">)", ""},
           Page{R"(<a href="a-1.whl)", ""},
           Page{R"(<a href=>href="")", ""},
           Page{"", ""},
       }) {
    const auto address = address_in_page(text, "http://host/simple/a/", "a-1.whl");
    EXPECT_EQ(address.value_or(""), found) << text;
  }
}

}  // namespace
}  // namespace server
