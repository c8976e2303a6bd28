#include "server/models/hub.h"

#include <gtest/gtest.h>

#include "server/models/check_file.h"
#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

struct EndpointCase {
  const char* variable;
  const char* endpoint;
};

TEST(HubAccess, TakesTheEndpointAsPeopleWriteIt) {
  constexpr EndpointCase cases[] = {
      {"", "https://huggingface.co"},
      {"http://127.0.0.1:8080/", "http://127.0.0.1:8080"},
      {"https://mirror.example/hub//", "https://mirror.example/hub"},
      {"mirror.example", "https://mirror.example"},
  };
  for (const auto& [variable, endpoint] : cases) {
    const auto access = hub_access([&, value = variable](const char* name) {
      return std::string(name) == "HF_ENDPOINT" ? value : "token";
    });
    EXPECT_EQ(access.endpoint, endpoint);
    EXPECT_EQ(access.http.bearer, "token");
  }
}

TEST(HubAccess, TakesTheFirstFileOfCertificatesThatIsNamed) {
  const auto access = hub_access([](const char* name) {
    const std::string variable(name);
    return variable == "SSL_CERT_FILE" || variable == "REQUESTS_CA_BUNDLE" ? "/" + variable : "";
  });
  EXPECT_EQ(access.http.certificates, "/SSL_CERT_FILE");
}

TEST(CheckFile, ComparesSizeAndBothKindsOfDigest) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "f";
  testing::write(file, "hello\n");
  const std::string sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
  const std::string git = "ce013625030ba8dba906f756967f9e9ca394464a";
  const auto check = [&](std::optional<std::uint64_t> size, std::optional<Digest> digest) {
    return check_file(file, {"f", size, digest}, {});
  };
  for (const auto& good : {check({}, {}), check(6, Digest{Digest::Kind::sha256, sha256}),
                           check(6, Digest{Digest::Kind::git_blob_sha1, git})}) {
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, (InstalledFile{"f", 6, sha256}));
  }
  for (const auto& bad : {check(5, {}), check(6, Digest{Digest::Kind::sha256, git}),
                          check(6, Digest{Digest::Kind::git_blob_sha1, sha256})}) {
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, StoreErrc::wrong_content);
    EXPECT_NE(bad.error().message.find("f: expected "), std::string::npos);
  }
}

}  // namespace
}  // namespace server
