#include "server/models/http_headers.h"

#include <algorithm>
#include <charconv>

namespace server {

bool HttpHeaders::add_line(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    values_.clear();
    bytes_ = 0;
  }
  bytes_ += line.size();
  if (bytes_ > max_bytes) return false;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto value = line.find_first_not_of(" \t", colon + 1);
  values_[name] = value == std::string_view::npos ? "" : line.substr(value);
  return true;
}

std::optional<std::string> HttpHeaders::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> HttpHeaders::number(const std::string& name) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  std::uint64_t parsed = 0;
  const char* end = value->data() + value->size();
  const auto [stop, error] = std::from_chars(value->data(), end, parsed);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return parsed;
}

std::size_t HttpHeaders::on_header(char* data, std::size_t, std::size_t size, void* headers) {
  return static_cast<HttpHeaders*>(headers)->add_line({data, size}) ? size : 0;
}

std::optional<std::string> unquoted(std::optional<std::string> etag) {
  if (!etag) return etag;
  if (etag->starts_with("W/")) etag->erase(0, 2);
  if (etag->size() >= 2 && etag->front() == '"') *etag = etag->substr(1, etag->size() - 2);
  return etag;
}

}  // namespace server
