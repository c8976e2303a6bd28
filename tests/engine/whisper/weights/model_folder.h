#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace toy {

// A folder for the files of a model, which is gone after the test.
class ModelFolder : public testing::Test {
 protected:
  ModelFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scribed-weights-XXXXXX");
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ModelFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& content = "x") const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

}  // namespace toy
