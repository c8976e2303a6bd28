#include "server/daemon/access_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// Returns the line that a request of that path leaves.
std::string line_of(const std::string& path) {
  const test::TemporaryFolder folder;
  const auto file = folder / "log";
  const platform::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
  {
    Log log({.fd = fd.get()});
    log_request(log, {.method = "GET", .path = path, .status = 200});
  }
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
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
