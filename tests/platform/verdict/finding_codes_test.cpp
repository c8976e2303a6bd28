#include "platform/verdict/finding_codes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "platform/verdict/diagnose.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

std::set<std::string> declared_codes() {
  std::ifstream file(std::string(SCRIBED_SOURCE_DIR) + "/platform/verdict/finding_codes.h");
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  const std::regex quoted("\"([A-Z0-9_]+)\"");
  std::set<std::string> codes;
  for (std::sregex_iterator it(header.begin(), header.end(), quoted), end; it != end; ++it) {
    codes.insert((*it)[1]);
  }
  return codes;
}

// Returns a failure's text that has the signature of a row.
bool has_signature(const std::string& code) {
  const FindingRow* row = built_in().find_finding(code);
  if (!row) return false;
  for (const auto& parts : row->match) {
    std::string text;
    for (const auto& part : parts) text += "… " + part;
    for (const Backend backend : {Backend::cuda, Backend::rocm, Backend::mps, Backend::cpu}) {
      const auto finding = diagnose(text, built_in(), {.backend = backend});
      if (finding && finding->code == code) return true;
    }
  }
  return false;
}

// Every code is reached: by the facts of a machine, or by what a worker printed before it died.
TEST(FindingCodes, EachIsReached) {
  std::set<std::string> reached{
      code::gpu_not_supported,  // AnotherMakersCardIsNamedAndBlocked
      // given by the program that starts the worker, for a failed smoke run
      code::smoke_run_failed,
      code::worker_failed,  // … and for a worker that it could not use
  };
  for (const auto& one : all_cases()) reached.insert(one.code);
  const auto codes = declared_codes();
  ASSERT_GT(codes.size(), 70U);
  for (const auto& code : codes) {
    EXPECT_TRUE(reached.contains(code) || has_signature(code)) << code;
  }
}

}  // namespace
}  // namespace platform::test
