#include "server/models/import_plan.h"

#include <utility>

#include "server/models/adapter_import.h"
#include "server/models/inspection.h"
#include "server/models/registry.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// Fills a plan, step by step, until one fails.
class ImportPlanner {
 public:
  ImportPlanner(const ModelStore& store, const ImportOptions& options, ImportPlan& plan)
      : store_(store), options_(options), plan_(plan) {}

  StoreResult<void> run() {
    using Step = StoreResult<void> (ImportPlanner::*)();
    for (const Step step :
         {&ImportPlanner::find_path, &ImportPlanner::find_base, &ImportPlanner::find_files,
          &ImportPlanner::examine_model, &ImportPlanner::lend_vocabulary,
          &ImportPlanner::examine_adapter, &ImportPlanner::choose_name}) {
      if (auto done = (this->*step)(); !done) return done;
    }
    return {};
  }

 private:
  StoreResult<void> find_path() {
    std::error_code ignored;
    if (fs::exists(plan_.path, ignored)) return {};
    return StoreError{StoreErrc::unknown_model, plan_.path.string() + " does not exist",
                      "Give the path of a model's file or folder."};
  }

  StoreResult<void> find_base() {
    auto base = base_of_adapter(store_, plan_.path, options_.base);
    if (!base) return base.error();
    plan_.base = *std::move(base);
    return {};
  }

  // The files of an adapter's base are known when it is merged.
  StoreResult<void> find_files() {
    if (plan_.base) return {};
    auto files = model_files(plan_.path);
    if (!files) return files.error();
    plan_.files = *std::move(files);
    return {};
  }

  StoreResult<void> examine_model() { return examine_with({}); }

  // A model without a vocabulary gets that of an installed one, with which its tokens are checked
  // once more.
  StoreResult<void> lend_vocabulary() {
    if (plan_.model->has_vocabulary) return {};
    const auto lender = vocabulary_lender(store_, plan_.model->multilingual);
    if (!lender) return lender.error();
    plan_.vocabulary_of = lender->name;
    plan_.files.insert(plan_.files.end(), lender->files.begin(), lender->files.end());
    return examine_with(lender->folder);
  }

  StoreResult<void> examine_with(const fs::path& lent) {
    auto found = examine(plan_.base.value_or(plan_.path), lent);
    if (!found) return found.error();
    plan_.model = std::move(found->model);
    if (found->refusal) return invalid_model(*found->refusal);
    return {};
  }

  StoreResult<void> examine_adapter() {
    if (!plan_.base) return {};
    auto facts = server::examine_adapter(plan_.path, *plan_.base);
    if (!facts) return facts.error();
    plan_.adapter = *std::move(facts);
    return {};
  }

  StoreResult<void> choose_name() {
    std::string name = options_.name.empty() ? suggested_name(plan_.path) : options_.name;
    // Nobody would find a model again under an alias.
    if (const auto* registered = find_registered(name)) name = registered->name;
    if (!is_store_name(name)) {
      return StoreError{StoreErrc::invalid_model, "'" + name + "' cannot be the name of a model",
                        "Choose one of letters, digits, '.', '_' and '-' with --name."};
    }
    plan_.name = std::move(name);
    if (options_.replace) return {};
    return require_free_name(store_.root(), plan_.name);
  }

  const ModelStore& store_;
  const ImportOptions& options_;
  ImportPlan& plan_;
};

}  // namespace

StoreResult<void> require_free_name(const fs::path& store_root, const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(store_root / name, ignored)) return {};
  return StoreError{StoreErrc::already_installed, "there is a model " + name + " already",
                    "Choose another name with --name, or replace it with --force."};
}

ImportPlan plan_import(const ModelStore& store, const fs::path& path,
                       const ImportOptions& options) {
  ImportPlan plan{.path = path};
  if (const auto made = ImportPlanner(store, options, plan).run(); !made) {
    plan.refusal = made.error();
  }
  return plan;
}

std::string suggested_name(const fs::path& path) {
  const fs::path full = fs::absolute(path).lexically_normal();
  std::error_code ignored;
  std::string name =
      full.has_filename() ? full.filename().string() : full.parent_path().filename().string();
  if (!fs::is_directory(path, ignored)) {
    // The part before the first point tells "model.fp16.safetensors" and an index.
    const std::string first = name.substr(0, name.find('.'));
    name = first == "model" || first == "pytorch_model" ? first : fs::path(name).stem().string();
  }
  // A file name that every folder has says less than the folder's name.
  if (name == "model" || name == "pytorch_model" || name == "adapter_model")
    name = full.parent_path().filename().string();
  if (name.starts_with("ggml-")) name.erase(0, 5);
  const auto* registered = find_registered(name);
  return registered != nullptr ? registered->name : name;
}

}  // namespace server
