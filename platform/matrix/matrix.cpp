#include "platform/matrix/matrix.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/matrix/compat_matrix_bytes.h"
#include "platform/matrix/rows.h"

namespace platform {
namespace {

using nlohmann::json;

constexpr int known_schema = 1;

class DocumentReader {
 public:
  DocumentReader(const json& document, std::vector<std::string>& problems)
      : document_(document), problems_(problems) {}

  template <class Row>
  void table(const char* key, std::vector<Row>& rows, Row (*read)(RowReader&)) {
    names_.emplace_back(key);
    const auto it = document_.find(key);
    if (it == document_.end() || !it->is_array()) {
      problems_.push_back(std::string(key) + ": the table is missing or not a list");
      return;
    }
    for (std::size_t i = 0; i < it->size(); ++i) {
      RowReader reader((*it)[i]);
      Row row = read(reader);
      if (reader.fault().empty()) {
        rows.push_back(std::move(row));
      } else {
        problems_.push_back(std::string(key) + "[" + std::to_string(i) + "]: " + reader.fault() +
                            "; the row is ignored");
      }
    }
  }

  void memory(MemoryRules& rules) {
    names_.emplace_back("memory");
    const auto it = document_.find("memory");
    const json nothing;
    RowReader reader(it == document_.end() ? nothing : *it);
    const MemoryRules read = read_memory_rules(reader);
    if (reader.fault().empty()) {
      rules = read;
    } else {
      problems_.push_back("memory: " + reader.fault() + "; the usual rules are used");
    }
  }

  void text(const char* key, std::string& value) {
    names_.emplace_back(key);
    RowReader reader(document_);
    value = reader.text(key);
    if (!reader.fault().empty()) problems_.push_back(reader.fault());
  }

  // Reports unknown tables: a misspelt one would otherwise be ignored silently.
  void name_unknown_tables(std::initializer_list<std::string_view> other_names) {
    for (const auto& [key, value] : document_.items()) {
      const auto is_key = [&key = key](std::string_view name) { return name == key; };
      if (std::any_of(names_.begin(), names_.end(), is_key)) continue;
      if (std::any_of(other_names.begin(), other_names.end(), is_key)) continue;
      problems_.push_back(key + ": unknown, and ignored");
    }
  }

 private:
  const json& document_;
  std::vector<std::string>& problems_;
  std::vector<std::string> names_{};
};

LoadedMatrix read_document(const json& document) {
  LoadedMatrix loaded;
  Matrix& matrix = loaded.matrix;
  matrix.schema_version = known_schema;
  DocumentReader reader(document, loaded.problems);
  reader.text("date", matrix.date);
  reader.memory(matrix.memory);
  reader.table("torch", matrix.torch, read_torch);
  reader.table("driver_floors", matrix.driver_floors, read_driver_floor);
  reader.table("toolkits", matrix.toolkits, read_toolkit);
  reader.table("driver_rules", matrix.driver_rules, read_driver_rule);
  reader.table("cubins", matrix.cubins, read_cubin);
  reader.table("cudnn", matrix.cudnn, read_cudnn);
  reader.table("precision", matrix.precision, read_precision);
  reader.table("gfx", matrix.gfx, read_gfx);
  reader.table("mps", matrix.mps, read_mps);
  reader.table("models", matrix.models, read_model);
  reader.table("tested", matrix.tested, read_tested);
  reader.table("cards", matrix.cards, read_card);
  reader.table("findings", matrix.findings, read_finding);
  reader.table("status_codes", matrix.status_codes, read_status_code);
  reader.table("variables", matrix.variables, read_variable);
  reader.name_unknown_tables({"schema_version", "sources", "images"});
  return loaded;
}

// The built-in matrix is read once, because it cannot change while the program runs.
const LoadedMatrix& built_in() {
  static const LoadedMatrix loaded = read_document(json::parse(compat_matrix_text()));
  return loaded;
}

}  // namespace

LoadedMatrix built_in_matrix() {
  return built_in();
}

Result<LoadedMatrix> parse_matrix(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) {
    return Error{"The compatibility matrix is not a JSON object",
                 "Check the file with `python3 -m json.tool FILE`"};
  }
  const auto schema = document.find("schema_version");
  if (schema == document.end() || *schema != known_schema) {
    return Error{
        "The compatibility matrix has another schema_version than " + std::to_string(known_schema),
        "Use a matrix that belongs to this version of scribed"};
  }
  LoadedMatrix loaded = read_document(document);
  for (const auto& finding : built_in().matrix.findings) {
    if (!loaded.matrix.find_finding(finding.code)) loaded.matrix.findings.push_back(finding);
  }
  return loaded;
}

Result<LoadedMatrix> load_matrix(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;  // sets failbit, and does not throw, on a folder or a disk failure
  if (!stream || !(text << stream.rdbuf())) {
    return Error{"The compatibility matrix " + file.string() + " is empty or cannot be read",
                 "Check the path and its permissions"};
  }
  return parse_matrix(text.str());
}

}  // namespace platform
