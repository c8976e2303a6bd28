#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/version.h"

namespace platform {

// Reads the fields of one row and keeps the first fault. A row with a fault is left out, so values
// returned after it do not matter. No content of a document makes it throw. Fields that are not
// read are ignored.
class RowReader {
 public:
  explicit RowReader(const nlohmann::json& row);  // must outlive the reader

  // These fields must be there.
  std::string text(const char* key);  // not empty
  std::string text_of(const char* key, std::initializer_list<std::string_view> allowed);
  int whole(const char* key, int low, int high);
  std::int64_t large(const char* key, std::int64_t low, std::int64_t high);
  Version version(const char* key);
  ComputeCapability capability(const char* key);
  std::uint16_t pci_id(const char* key);  // "10de"

  // These fields may be missing.
  std::string optional_text(const char* key);
  bool flag(const char* key);
  std::optional<double> number(const char* key, double low, double high);
  std::optional<Version> optional_version(const char* key);
  std::optional<ComputeCapability> optional_capability(const char* key);
  std::vector<std::string> texts(const char* key);
  std::vector<ComputeCapability> capabilities(const char* key);
  std::vector<std::vector<std::string>> text_lists(const char* key);

  bool has(const char* key) const { return find(key) != nullptr; }
  void refuse(std::string fault);  // for rules about several fields
  const std::string& fault() const { return fault_; }

 private:
  const nlohmann::json* find(const char* key) const;  // nullptr: missing or null
  const nlohmann::json* list(const char* key);
  std::optional<std::string> string_at(const char* key);

  const nlohmann::json& row_;
  std::string fault_{};
};

}  // namespace platform
