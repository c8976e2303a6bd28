#include "platform/verdict/verdict_json.h"

#include <nlohmann/json.hpp>

namespace platform {
namespace {

void set(nlohmann::json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

void set(nlohmann::json& json, const char* key, std::int64_t bytes) {
  if (bytes != 0) json[key] = bytes;
}

}  // namespace

void to_json(nlohmann::json& json, const Finding& finding) {
  json = {{"code", finding.code},
          {"severity", name(finding.severity)},
          {"headline", finding.headline},
          {"fix", finding.fix},
          {"link", finding.link}};
  nlohmann::json evidence = nlohmann::json::object();
  set(evidence, "found", finding.evidence.found);
  set(evidence, "needed", finding.evidence.needed);
  set(evidence, "read_from", finding.evidence.read_from);
  json["evidence"] = std::move(evidence);
}

void to_json(nlohmann::json& json, const Verdict& verdict) {
  json = {{"backend", name(verdict.backend)},
          {"device", verdict.device()},
          {"device_name", verdict.device_name},
          {"status", name(verdict.status)},
          {"findings", verdict.findings}};
  set(json, "pack", verdict.pack.name);
  set(json, "pci_address", verdict.pci_address);
  set(json, "architecture", verdict.architecture);
  set(json, "compute_type", verdict.compute_type);
  set(json, "memory_needed", verdict.need);
  set(json, "memory_free", verdict.free_memory);
  set(json, "memory_total", verdict.total_memory);
}

void to_json(nlohmann::json& json, const Fallback& fallback) {
  json = {{"wanted", fallback.wanted}, {"finding", fallback.finding}};
}

void to_json(nlohmann::json& json, const Choice& choice) {
  json = {{"device", choice.verdict.device()},
          {"device_name", choice.verdict.device_name},
          {"reason", choice.reason}};
  set(json, "pack", choice.verdict.pack.name);
  set(json, "compute_type", choice.verdict.compute_type);
  if (choice.fallback) json["fallback"] = *choice.fallback;
  nlohmann::json next = nlohmann::json::array();
  for (const auto& verdict : choice.next) {
    next.push_back({{"device", verdict.device()}, {"pack", verdict.pack.name}});
  }
  json["next"] = std::move(next);
}

}  // namespace platform
