#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "server/inputs/uploads.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

inline double clock_now = 1000;  // in seconds since 1970

class UploadsTest : public ::testing::Test {
 protected:
  UploadsTest() { clock_now = 1000; }

  Uploads open() {
    return Uploads::open({.folder = root_ / "uploads",
                          .keep_s = 60,
                          .max_total_bytes = 100,
                          .max_of_one = 4,
                          .now = [] { return clock_now; }})
        .value();
  }
  Result<Upload> add(const std::string& text, const std::string& owner = "ada",
                     const std::string& name = "talk.mp3") {
    auto file = uploads_.create(owner, 0);
    if (!file) return file.error();
    file->write(text).value();
    return uploads_.add(*std::move(file), owner, name);
  }
  int files() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(root_ / "uploads"), {}));
  }

  TemporaryFolder root_{};
  Uploads uploads_ = open();
  Spool spool_ = Spool::open(root_ / "spool").value();
};

}  // namespace server::test
