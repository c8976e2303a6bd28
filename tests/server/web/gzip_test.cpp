#include "server/web/gzip.h"

#include <gtest/gtest.h>

#include "tests/server/web/packed.h"

namespace server::web {
namespace {

TEST(Gzip, IsTakenByWhoeverNamesItOrTakesAll) {
  for (const char* field :
       {"gzip", "deflate, GZIP, br", "br;q=1.0, gzip;q=0.8", "*", "gzip;q=0.001"}) {
    EXPECT_TRUE(accepts_gzip(field)) << field;
  }
  for (const char* field :
       {"", "br", "identity", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *"}) {
    EXPECT_FALSE(accepts_gzip(field)) << field;
  }
}

TEST(Gzip, BecomesWhatWasPacked) {
  std::string text;
  for (int line = 0; line < 20'000; ++line) text += std::to_string(line) + "\n";
  EXPECT_EQ(inflated(test::packed(text)), text);
  EXPECT_EQ(inflated(test::packed("")), "");
}

TEST(Gzip, ThatIsCutOffOrChangedIsToldOf) {
  const std::string whole = test::packed("some text that is long enough to be cut");
  EXPECT_THROW(inflated(whole.substr(0, whole.size() / 2)), std::runtime_error);
  EXPECT_THROW(inflated("no gzip at all"), std::runtime_error);
}

}  // namespace
}  // namespace server::web
