#include "platform/verdict/make_finding.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace platform {
namespace {

struct Placeholder {
  std::string_view name;
  const std::string& (*value)(const FindingValues&);
  std::string_view neutral;  // used in a headline where the value is missing
};

constexpr std::array<Placeholder, 6> placeholders{{
    {"{card}", [](const FindingValues& v) -> const std::string& { return v.card; }, "the GPU"},
    {"{found}", [](const FindingValues& v) -> const std::string& { return v.found; }, "nothing"},
    {"{needed}", [](const FindingValues& v) -> const std::string& { return v.needed; }, "another"},
    {"{pack}", [](const FindingValues& v) -> const std::string& { return v.pack; }, "this build"},
    {"{model}", [](const FindingValues& v) -> const std::string& { return v.model; }, "the model"},
    {"{value}", [](const FindingValues& v) -> const std::string& { return v.value; }, "none"},
}};

const Placeholder* placeholder_at(std::string_view text) {
  const auto it = std::find_if(placeholders.begin(), placeholders.end(),
                               [&](const Placeholder& p) { return text.starts_with(p.name); });
  return it == placeholders.end() ? nullptr : &*it;
}

// The result of one pass over a text; braces inside a value stay as they are.
struct Filled {
  std::string text{};
  bool complete = true;  // no value was missing
};

Filled fill(std::string_view text, const FindingValues& values) {
  Filled filled;
  while (!text.empty()) {
    const Placeholder* placeholder = placeholder_at(text);
    if (!placeholder) {
      filled.text += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string& value = placeholder->value(values);
    filled.complete &= !value.empty();
    filled.text += value.empty() ? placeholder->neutral : std::string_view(value);
    text.remove_prefix(placeholder->name.size());
  }
  return filled;
}

// Begins a sentence: "an NVIDIA card found" becomes "An NVIDIA card found"; names keep their case.
std::string as_sentence(std::string text) {
  for (const std::string_view article : {"a ", "an ", "the "}) {
    if (text.starts_with(article)) text[0] = static_cast<char>(std::toupper(text[0]));
  }
  return text;
}

std::string fill_headline(std::string_view text, const FindingValues& values) {
  std::string headline;
  while (!text.empty()) {
    const auto open = text.find('[');
    const auto close = open == text.npos ? text.npos : text.find(']', open);
    if (close == text.npos) break;
    headline += fill(text.substr(0, open), values).text;
    const Filled part = fill(text.substr(open + 1, close - open - 1), values);
    if (part.complete) headline += part.text;
    text.remove_prefix(close + 1);
  }
  return as_sentence(headline + fill(text, values).text);
}

std::string headline_without_row(std::string_view code, const FindingValues& values) {
  std::string headline = values.card.empty() ? "this machine" : values.card;
  headline += ": ";
  headline += code;
  if (!values.found.empty()) headline += ", found " + values.found;
  if (!values.needed.empty()) headline += ", needed " + values.needed;
  return as_sentence(std::move(headline));
}

}  // namespace

std::string pack_in_words(std::string_view pack) {
  return pack.empty() ? "" : "the pack " + std::string(pack);
}

std::string guide_link(std::string_view code) {
  std::string link = "docs/gpu-findings.md#";
  for (const char c : code) {
    link += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return link;
}

Finding make_finding(const Matrix& matrix, std::string_view code, Severity severity,
                     const FindingValues& values, std::string read_from) {
  Finding finding{.code = std::string(code),
                  .severity = severity,
                  .evidence = {values.found, values.needed, std::move(read_from)},
                  .link = guide_link(code)};
  const FindingRow* row = matrix.find_finding(code);
  if (!row) {
    finding.headline = headline_without_row(code, values);
    return finding;
  }
  finding.headline = fill_headline(row->headline, values);
  for (const auto& step : row->fix) {
    Filled filled = fill(step, values);
    if (filled.complete) finding.fix.push_back(std::move(filled.text));
  }
  return finding;
}

}  // namespace platform
