#include "server/api/text_ops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_parse.h"

namespace server {
namespace {

using Value = nlohmann::json;

constexpr char ops_example[] =
    R"(As in {"ops": [{"op": "text", "segment": "12", "text": "the last lamp"}]}.)";

// Reads the fields of one operation, and keeps the first problem.
class OpFields {
 public:
  OpFields(const Value& op, std::string where) : op_(op), where_(std::move(where)) {}

  std::int64_t segment() {
    const std::string text = this->text("segment");
    const auto id = segment_id(text);
    if (!id) fail("segment", "must be the id of a segment, which is a text");
    return id.value_or(0);
  }
  std::string text(const char* name) {
    const Value* value = find(name);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    fail(name, "must be a text");
    return {};
  }
  std::string text_or_null(const char* name) {
    const auto found = op_.find(name);
    if (found != op_.end() && found->is_null()) {
      known_.emplace_back(name);
      return {};
    }
    return text(name);
  }
  double number(const char* name) {
    const Value* value = find(name);
    if (value == nullptr) return 0;
    if (value->is_number()) return value->get<double>();
    fail(name, "must be a number");
    return 0;
  }
  int whole_number(const char* name) {
    const Value* value = find(name);
    if (value == nullptr) return 0;
    const bool fits = value->is_number_unsigned() &&
                      value->get<std::uint64_t>() <= std::numeric_limits<int>::max();
    if (fits) return value->get<int>();
    fail(name, "must be a whole number from 0 on");
    return 0;
  }
  bool flag(const char* name, bool otherwise) {
    known_.emplace_back(name);
    const auto found = op_.find(name);
    if (found == op_.end()) return otherwise;
    if (found->is_boolean()) return found->get<bool>();
    fail(name, "must be true or false");
    return otherwise;
  }

  // Returns the first problem; a field that is not known is one, too.
  FormProblem problem() {
    for (const auto& [name, value] : op_.items()) {
      if (name == "op" || std::ranges::find(known_, name) != known_.end()) continue;
      if (!problem_) {
        problem_ =
            FormError{{errc::unknown_parameter, fmt::format("The operation has no field {}.", name),
                       fmt::format("Its fields are: {}.", fmt::join(known_, ", "))},
                      path(name)};
      }
    }
    return problem_;
  }

 private:
  std::string path(std::string_view name) const { return fmt::format("{}.{}", where_, name); }

  const Value* find(const char* name) {
    known_.emplace_back(name);
    const auto found = op_.find(name);
    if (found != op_.end()) return &*found;
    if (!problem_) {
      problem_ = FormError{
          {errc::missing_parameter, fmt::format("The operation has no {}.", name), ops_example},
          path(name)};
    }
    return nullptr;
  }
  void fail(const char* name, const char* what) {
    if (!problem_) problem_ = invalid(path(name), fmt::format("{} {}.", name, what), ops_example);
  }

  const Value& op_;
  std::string where_;
  std::vector<std::string> known_{};
  FormProblem problem_{};
};

std::optional<TextEdit> read_op(const std::string& kind, OpFields& fields) {
  if (kind == "text") return SetText{fields.segment(), fields.text("text")};
  if (kind == "split") return SplitSegment{fields.segment(), fields.whole_number("word")};
  if (kind == "merge") return MergeSegment{fields.segment()};
  if (kind == "delete") return RemoveSegment{fields.segment()};
  if (kind == "times") {
    return SetTimes{fields.segment(), fields.number("start"), fields.number("end")};
  }
  if (kind == "speaker") return SetSpeaker{fields.segment(), fields.text_or_null("speaker")};
  if (kind == "name") return NameSpeaker{fields.text("speaker"), fields.text_or_null("name")};
  if (kind == "merge_speakers") return MergeSpeakers{fields.text("speaker"), fields.text("into")};
  if (kind == "replace") {
    return ReplaceText{
        fields.text("find"),
        fields.text("with"),
        {.match_case = fields.flag("case", true), .whole_words = fields.flag("whole", false)}};
  }
  return std::nullopt;
}

boost::system::result<TextEdit, FormError> edit_in(const Value& op, const std::string& where) {
  if (!op.is_object()) return invalid(where, "An operation must be an object.", ops_example);
  const auto kind = op.find("op");
  const std::string name =
      kind != op.end() && kind->is_string() ? kind->get<std::string>() : std::string();
  OpFields fields(op, where);
  auto edit = read_op(name, fields);
  if (!edit) {
    return invalid(
        where + ".op", fmt::format("There is no operation {}.", name),
        "Use text, split, merge, delete, times, speaker, name, merge_speakers or replace.");
  }
  if (auto problem = fields.problem()) return *std::move(problem);
  return *std::move(edit);
}

}  // namespace

std::optional<std::int64_t> segment_id(std::string_view text) {
  std::int64_t id = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_id = failure == std::errc() && end == text.data() + text.size() && id >= 0;
  if (!is_id) return std::nullopt;
  return id;
}

boost::system::result<std::vector<TextEdit>, FormError> read_text_ops(const std::string& body) {
  const auto json = protocol::json::parse_object(body);
  if (!json) return invalid("", "The body must be a JSON object.", ops_example);
  for (const auto& [name, value] : json->items()) {
    if (name == "ops") continue;
    return FormError{
        {errc::unknown_parameter, "There is no parameter " + name + " here.", ops_example}, name};
  }
  const auto ops = json->find("ops");
  if (ops == json->end()) {
    return FormError{{errc::missing_parameter, "The parameter ops is missing.", ops_example},
                     "ops"};
  }
  if (!ops->is_array()) return invalid("ops", "ops must be a list of operations.", ops_example);
  if (ops->size() > max_edits) {
    return invalid(
        "ops",
        fmt::format("ops has {} operations, and may have {} at most.", ops->size(), max_edits),
        "Send them in several requests.");
  }
  std::vector<TextEdit> edits;
  for (const auto& op : *ops) {
    auto edit = edit_in(op, fmt::format("ops[{}]", edits.size()));
    if (!edit) return edit.error();
    edits.push_back(*std::move(edit));
  }
  return edits;
}

}  // namespace server
