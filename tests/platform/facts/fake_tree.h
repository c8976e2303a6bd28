#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "platform/facts/read_facts.h"

namespace platform {

// A machine made of a few files: a temporary folder that stands for "/" and is removed with its
// object.
class FakeTree {
 public:
  FakeTree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scribed-tree-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    root_ = pattern;
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;
  ~FakeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  FakeTree& file(const std::string& path, const std::string& text = "") {
    std::ofstream(place(path), std::ios::binary) << text;
    return *this;
  }
  FakeTree& link(const std::string& path, const std::string& target) {
    std::filesystem::create_symlink(target, place(path));
    return *this;
  }
  FakeTree& folder(const std::string& path) {
    std::filesystem::create_directories(root_.string() + path);
    return *this;
  }
  // Adds a device that its user may not open.
  FakeTree& closed_file(const std::string& path) {
    file(path);
    ::chmod((root_.string() + path).c_str(), 0);
    return *this;
  }

  const std::filesystem::path& root() const { return root_; }
  System system(std::map<std::string, std::string> environment = {}) const {
    return {root_, std::move(environment)};
  }

 private:
  std::string place(const std::string& path) {
    std::filesystem::path whole = root_.string() + path;
    std::filesystem::create_directories(whole.parent_path());
    return whole.string();
  }

  std::filesystem::path root_;
};

}  // namespace platform
