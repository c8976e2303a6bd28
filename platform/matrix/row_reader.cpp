#include "platform/matrix/row_reader.h"

#include <algorithm>
#include <charconv>

namespace platform {
namespace {

using nlohmann::json;

bool is_text(const json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty();
}

std::string named(const char* key, std::string_view fault) {
  return std::string(key) + " " + std::string(fault);
}

}  // namespace

RowReader::RowReader(const json& row) : row_(row) {
  if (!row_.is_object()) refuse("the row is not an object");
}

void RowReader::refuse(std::string fault) {
  if (fault_.empty()) fault_ = std::move(fault);
}

const json* RowReader::find(const char* key) const {
  if (!row_.is_object()) return nullptr;
  const auto it = row_.find(key);
  return it == row_.end() || it->is_null() ? nullptr : &*it;
}

const json* RowReader::list(const char* key) {
  const json* value = find(key);
  if (value && !value->is_array()) refuse(named(key, "is not a list"));
  return value && value->is_array() ? value : nullptr;
}

std::optional<std::string> RowReader::string_at(const char* key) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (is_text(*value)) return value->get<std::string>();
  refuse(named(key, "is not a text"));
  return std::nullopt;
}

std::string RowReader::text(const char* key) {
  auto value = string_at(key);
  if (!value) refuse(named(key, "is missing"));
  return std::move(value).value_or("");
}

std::string RowReader::text_of(const char* key, std::initializer_list<std::string_view> allowed) {
  std::string value = text(key);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    refuse(named(key, "is none of the known words: " + value));
  }
  return value;
}

std::int64_t RowReader::large(const char* key, std::int64_t low, std::int64_t high) {
  const json* value = find(key);
  if (!value) {
    refuse(named(key, "is missing"));
    return low;
  }
  // An unsigned value beyond the signed range becomes negative, and is refused as such.
  const bool whole = value->is_number_integer();
  const auto number = whole ? value->get<std::int64_t>() : low - 1;
  if (!whole) refuse(named(key, "is not a whole number"));
  if (number < low || number > high) refuse(named(key, "is out of range"));
  return std::clamp(number, low, high);
}

int RowReader::whole(const char* key, int low, int high) {
  return static_cast<int>(large(key, low, high));
}

std::optional<double> RowReader::number(const char* key, double low, double high) {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_number()) {
    refuse(named(key, "is not a number"));
    return std::nullopt;
  }
  const double number = value->get<double>();
  if (!(number >= low && number <= high)) refuse(named(key, "is out of range"));
  return number;
}

bool RowReader::flag(const char* key) {
  const json* value = find(key);
  if (value && !value->is_boolean()) refuse(named(key, "is neither true nor false"));
  return value && value->is_boolean() && value->get<bool>();
}

std::string RowReader::optional_text(const char* key) {
  return string_at(key).value_or("");
}

std::optional<Version> RowReader::optional_version(const char* key) {
  const auto written = string_at(key);
  if (!written) return std::nullopt;
  auto version = Version::parse(*written);
  if (!version) refuse(named(key, "is not a version: " + *written));
  return version;
}

Version RowReader::version(const char* key) {
  auto version = optional_version(key);
  if (!version) refuse(named(key, "is missing"));
  return std::move(version).value_or(Version{});
}

std::optional<ComputeCapability> RowReader::optional_capability(const char* key) {
  const auto written = string_at(key);
  if (!written) return std::nullopt;
  const auto capability = ComputeCapability::parse(*written);
  if (!capability) refuse(named(key, "is not a compute capability: " + *written));
  return capability;
}

ComputeCapability RowReader::capability(const char* key) {
  const auto capability = optional_capability(key);
  if (!capability) refuse(named(key, "is missing"));
  return capability.value_or(ComputeCapability{});
}

std::uint16_t RowReader::pci_id(const char* key) {
  const std::string written = text(key);
  std::uint16_t id = 0;
  const char* last = written.data() + written.size();
  const auto [end, error] = std::from_chars(written.data(), last, id, 16);
  if (written.size() != 4 || error != std::errc{} || end != last) {
    refuse(named(key, "is not a PCI id of four hexadecimal digits"));
  }
  return id;
}

std::vector<std::string> RowReader::texts(const char* key) {
  std::vector<std::string> all;
  const json* values = list(key);
  if (!values) return all;
  for (const auto& value : *values) {
    if (!is_text(value)) {
      refuse(named(key, "holds something that is not a text"));
      return {};
    }
    all.push_back(value.get<std::string>());
  }
  return all;
}

std::vector<ComputeCapability> RowReader::capabilities(const char* key) {
  std::vector<ComputeCapability> all;
  for (const auto& written : texts(key)) {
    const auto capability = ComputeCapability::parse(written);
    if (!capability) refuse(named(key, "holds no compute capability: " + written));
    all.push_back(capability.value_or(ComputeCapability{}));
  }
  return all;
}

std::vector<std::vector<std::string>> RowReader::text_lists(const char* key) {
  std::vector<std::vector<std::string>> all;
  const json* values = list(key);
  if (!values) return all;
  for (const auto& value : *values) {
    const json wrapped = {{"list", value}};
    RowReader inner(wrapped);
    all.push_back(inner.texts("list"));
    if (!inner.fault().empty()) refuse(named(key, "holds something that is no list of texts"));
    if (all.back().empty()) refuse(named(key, "holds an empty list"));
  }
  return all;
}

}  // namespace platform
