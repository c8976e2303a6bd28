#include "platform/verdict/finding_codes.h"
#include "platform/verdict/memory_need.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

// One model on one device, with the settings that may be varied to make it fit.
struct Fit {
  const MemoryRules& rules;
  const ModelRow& model;
  MemoryQuestion question;
  std::int64_t at_hand = 0;

  std::int64_t to_have() const { return memory_to_have(model.size, rules, question); }
  bool comfortable() const { return to_have() <= at_hand; }
  bool possible() const { return memory_need(model.size, rules, question) <= at_hand; }

  Fit with_type(const std::string& type) const {
    Fit other = *this;
    other.question.compute_type = type;
    return other;
  }
  Fit with_model(const ModelRow& other_model) const {
    return {rules, other_model, question, at_hand};
  }
  Fit with_one_sequence() const {
    Fit other = *this;
    other.question.batch = other.question.beam_size = 1;
    return other;
  }
};

// Returns the largest model below the wanted one that fits with the same settings and supports its
// languages.
const ModelRow* largest_that_fits(const Fit& fit, const std::vector<ModelRow>& models) {
  const ModelRow* best = nullptr;
  for (const auto& model : models) {
    if (model.english_only && !fit.model.english_only) continue;
    if (model.size.parameters >= fit.model.size.parameters || !fit.with_model(model).comfortable())
      continue;
    if (!best || model.size.parameters > best->size.parameters) best = &model;
  }
  return best;
}

// Returns a narrower type that would fit, the widest of them; empty: there is none.
std::string next_fitting_type(const Fit& fit, const Precision& precision) {
  const std::string& type = fit.question.compute_type;
  if (!precision.smaller.empty() && type == "float32" &&
      fit.with_type(precision.smaller).comfortable()) {
    return precision.smaller;
  }
  const bool has_narrowest = precision.int8 != Speed::none && type != "int8";
  return has_narrowest && fit.with_type("int8").comfortable() ? "int8" : "";
}

// Returns the change that would fit with the least loss: "compute type float16", "model small",
// "batch 1 and beam 1". Empty: nothing would fit.
std::string next_fitting(const Fit& fit, const std::vector<ModelRow>& models,
                         const Precision& precision) {
  const std::string type = next_fitting_type(fit, precision);
  if (!type.empty()) return "compute type " + type;
  if (const ModelRow* model = largest_that_fits(fit, models)) return "model " + model->name;
  const bool reducible = fit.question.batch > 1 || fit.question.beam_size > 1;
  if (reducible && fit.with_one_sequence().comfortable()) return "batch 1 and beam 1";
  if (const ModelRow* model = largest_that_fits(fit.with_one_sequence(), models)) {
    return "model " + model->name + " with batch 1 and beam 1";
  }
  return "";
}

// Returns whether a smaller type is better, because the preferred one is tight or impossible.
bool smaller_is_better(const Fit& fit, const Fit& smaller) {
  if (fit.comfortable()) return false;
  return smaller.comfortable() || (!fit.possible() && smaller.possible());
}

void reduce_precision(Judgement& judgement, Fit& fit, const std::string& smaller_type,
                      const MemoryAtHand& memory) {
  const bool is_open = judgement.request.compute_type == "auto";
  if (!is_open || smaller_type.empty() || fit.question.compute_type != "float32") return;
  const Fit smaller = fit.with_type(smaller_type);
  if (!smaller_is_better(fit, smaller)) return;
  judgement.add(code::memory_reduced_precision, Severity::note,
                {gib(fit.at_hand), gib(fit.to_have()), memory.read_from}, smaller_type);
  judgement.verdict.compute_type = smaller_type;
  fit.question.compute_type = smaller_type;
}

}  // namespace

void check_memory(Judgement& judgement, const MemoryAtHand& memory, bool fused_attention,
                  const Precision& precision) {
  const DeviceRequirements& request = judgement.request;
  if (!request.model || !memory.bytes) return;
  Verdict& verdict = judgement.verdict;
  Fit fit{judgement.matrix.memory,
          *request.model,
          {.compute_type = verdict.compute_type,
           .batch = request.batch,
           .beam_size = request.beam_size,
           .fused_attention = fused_attention,
           .on_cpu = verdict.backend == Backend::cpu},
          *memory.bytes};
  reduce_precision(judgement, fit, precision.smaller, memory);
  verdict.need = fit.to_have();
  verdict.need_beside_weights =
      memory_to_have_beside_weights(fit.model.size, fit.rules, fit.question);
  if (fit.comfortable()) return;
  const bool possible = fit.possible();
  judgement.add(possible ? code::memory_tight : code::memory_too_small,
                possible ? Severity::degraded : Severity::blocked,
                {gib(fit.at_hand), gib(verdict.need), memory.read_from},
                next_fitting(fit, judgement.matrix.models, precision));
}

}  // namespace platform
