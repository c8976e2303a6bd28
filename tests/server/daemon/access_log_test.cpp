#include "server/daemon/access_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// Returns what is written.
std::string lines_of(const std::function<void(Log&)>& write) {
  const test::TemporaryFolder folder;
  const auto file = folder / "log";
  const platform::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
  {
    Log log({.fd = fd.get()});
    write(log);
  }
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the line that a request of that path leaves.
std::string line_of(const std::string& path) {
  return lines_of(
      [&path](Log& log) { log_request(log, {.method = "GET", .path = path, .status = 200}); });
}

std::string warnings_of(const Config& config, bool has_keys) {
  return lines_of([&](Log& log) { log_openness(log, config, has_keys); });
}

TEST(Openness, IsWarnedOf) {
  Config config;
  EXPECT_EQ(warnings_of(config, false), "");
  config.server.listen = {"0.0.0.0:8080"};
  EXPECT_NE(warnings_of(config, false).find("no keys are required"), std::string::npos);
  EXPECT_EQ(warnings_of(config, true), "");
  config.server.allowed_origins = {"app://obsidian.md", "null"};
  EXPECT_NE(warnings_of(config, true).find("sandboxed pages of every site"), std::string::npos);
}

TEST(AccessLog, HasThePathOfARequest) {
  EXPECT_NE(line_of("/v1/jobs/abc").find("path=/v1/jobs/abc "), std::string::npos);
}

TEST(AccessLog, HasNoTokenOfALink) {
  for (const char* path : {"/v1/shares/secret", "/v1/shares/secret/audio", "/v1/shares/secret/"}) {
    const std::string line = line_of(path);
    EXPECT_EQ(line.find("secret"), std::string::npos) << line;
    EXPECT_NE(line.find("/v1/shares/"), std::string::npos) << line;
  }
  EXPECT_NE(line_of("/v1/shares/secret/audio").find("/audio"), std::string::npos);
}

}  // namespace
}  // namespace server
