#include "server/base/exhausted.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "server/base/file_error.h"

namespace server {
namespace {

TEST(ExhaustedOr, TellsWhatIsUsedUpWhateverWasBeingDone) {
  const Error other{errc::io_error, "cannot make /var/lib/secret: why", "Look."};
  for (const int number : {EMFILE, ENFILE}) {
    const Error error = exhausted_or(number, other);
    EXPECT_EQ(error.code, errc::out_of_descriptors);
    EXPECT_EQ(http_status(error.code), 503);
    EXPECT_EQ(error.message.find("secret"), std::string::npos);
    EXPECT_EQ(file_error("make", "/var/lib/secret", number), error);
  }
  EXPECT_EQ(exhausted_or(ENOMEM, other).code, errc::out_of_memory);
  EXPECT_EQ(exhausted_or(ENOENT, other), other);
}

}  // namespace
}  // namespace server
