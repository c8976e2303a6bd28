#include "server/objects/xml_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace server {
namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t most_fields = 20'000;
constexpr std::string_view spaces = " \t\r\n";

using Entity = std::pair<std::string_view, char>;
constexpr std::array entities{Entity{"amp", '&'}, Entity{"lt", '<'}, Entity{"gt", '>'},
                              Entity{"quot", '"'}, Entity{"apos", '\''}};

// Returns the character of "#34" or "#x22". What scribed reads of answers is ASCII: in other texts
// a question mark stands for the rest.
std::optional<char> numbered(std::string_view entity) {
  if (!entity.starts_with('#')) return std::nullopt;
  entity.remove_prefix(1);
  const bool is_hex = entity.starts_with('x');
  if (is_hex) entity.remove_prefix(1);
  int code = 0;
  const char* end = entity.data() + entity.size();
  const auto read = std::from_chars(entity.data(), end, code, is_hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != end || code < 1 || code > 0x10FFFF) {
    return std::nullopt;
  }
  return code < 127 ? static_cast<char>(code) : '?';
}

std::optional<char> meaning(std::string_view entity) {
  const auto* named = std::ranges::find(entities, entity, &Entity::first);
  return named == entities.end() ? numbered(entity) : named->second;
}

bool is_name(std::string_view name) {
  const auto fits = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, fits);
}

class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  std::optional<std::vector<XmlField>> read() {
    while (!rest_.empty()) {
      if (!(rest_.front() == '<' ? take_tag() : take_text())) return std::nullopt;
    }
    if (!open_.empty() || fields_.empty()) return std::nullopt;
    return std::move(fields_);
  }

 private:
  struct Open {
    std::string path{};
    std::string text{};
    bool has_elements = false;
  };

  bool take_text() {
    const auto length = std::min(rest_.find('<'), rest_.size());
    const auto raw = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (open_.empty()) return raw.find_first_not_of(spaces) == raw.npos;
    return add_text(raw, open_.back().text);
  }

  static bool add_text(std::string_view raw, std::string& text) {
    while (!raw.empty()) {
      const auto plain = std::min(raw.find('&'), raw.size());
      text += raw.substr(0, plain);
      raw.remove_prefix(plain);
      if (raw.empty()) break;
      const auto end = raw.find(';');
      if (end == raw.npos) return false;
      const auto letter = meaning(raw.substr(1, end - 1));
      if (!letter) return false;
      text += *letter;
      raw.remove_prefix(end + 1);
    }
    return true;
  }

  bool take_tag() {
    if (rest_.starts_with("<?")) return skip_to("?>");
    if (rest_.starts_with("<!--")) return skip_to("-->");
    const auto end = rest_.find('>');
    if (rest_.starts_with("<!") || end == rest_.npos) return false;
    auto tag = rest_.substr(1, end - 1);
    // A ">" in the value of an attribute would not be the tag's end.
    if (std::ranges::count(tag, '"') % 2 != 0 || std::ranges::count(tag, '\'') % 2 != 0) {
      return false;
    }
    rest_.remove_prefix(end + 1);
    if (tag.starts_with('/')) return close(tag.substr(1));
    const bool is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    const auto name = tag.substr(0, tag.find_first_of(spaces));
    return open(name) && (!is_empty || close(name));
  }

  bool skip_to(std::string_view mark) {
    const auto end = rest_.find(mark);
    if (end == rest_.npos) return false;
    rest_.remove_prefix(end + mark.size());
    return true;
  }

  bool open(std::string_view name) {
    const bool is_second_root = open_.empty() && !fields_.empty();
    if (!is_name(name) || is_second_root || open_.size() == deepest) return false;
    std::string path(name);
    if (!open_.empty()) {
      open_.back().has_elements = true;
      path = open_.back().path + "/" + path;
    }
    open_.push_back({.path = std::move(path)});
    return true;
  }

  bool close(std::string_view tag) {
    if (open_.empty() || fields_.size() == most_fields) return false;
    Open ended = std::move(open_.back());
    open_.pop_back();
    const auto name = tag.substr(0, tag.find_first_of(spaces));
    const auto slash = ended.path.rfind('/');
    if (name != std::string_view(ended.path).substr(slash == ended.path.npos ? 0 : slash + 1)) {
      return false;
    }
    if (ended.has_elements) ended.text.clear();
    fields_.push_back({std::move(ended.path), std::move(ended.text)});
    return true;
  }

  std::string_view rest_;
  std::vector<Open> open_{};
  std::vector<XmlField> fields_{};
};

}  // namespace

std::optional<std::vector<XmlField>> read_xml_fields(std::string_view text) {
  return Reader(text).read();
}

std::string field_text(const std::vector<XmlField>& fields, std::string_view path) {
  const auto found = std::ranges::find(fields, path, &XmlField::path);
  return found == fields.end() ? "" : found->text;
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    const auto* named = std::ranges::find(entities, letter, &Entity::second);
    if (named == entities.end()) {
      escaped += letter;
    } else {
      escaped.append("&").append(named->first).append(";");
    }
  }
  return escaped;
}

}  // namespace server
