#include "platform/cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "platform/cpu_flags.h"
#include "platform/cpu_system.h"

namespace platform {
namespace {

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

constexpr const char* level_variable = "SCRIBED_CPU";

// The levels by the flags that each has beyond those before. AVX-VNNI is apart: CPUs without
// AVX-512 have it, and those with AVX-512 need not. No CPU has levels of both architectures.
struct Level {
  std::string_view name;
  bool CpuFacts::*flag;
};
constexpr std::array<Level, 9> levels{{{"avx2", &CpuFacts::avx2},
                                       {"avx_vnni", &CpuFacts::avx_vnni},
                                       {"avx512", &CpuFacts::avx512f},
                                       {"avx512_vnni", &CpuFacts::avx512_vnni},
                                       {"avx512_bf16", &CpuFacts::avx512_bf16},
                                       {"amx", &CpuFacts::amx},
                                       {"neon", &CpuFacts::neon},
                                       {"neon_dotprod", &CpuFacts::neon_dotprod},
                                       {"neon_i8mm", &CpuFacts::neon_i8mm}}};

std::string wanted_level() {
  const char* value = std::getenv(level_variable);
  return value == nullptr ? "" : value;
}

CpuFacts facts_of_this_cpu() {
  CpuFacts facts = system_cpu();
  correct_flags(facts);
  return facts;
}

}  // namespace

std::string CpuFacts::isa() const {
  const auto best = std::find_if(levels.rbegin(), levels.rend(),
                                 [&](const Level& level) { return this->*level.flag; });
  return std::string(best == levels.rend() ? "baseline" : best->name);
}

CpuFacts parse_cpuinfo(const std::string& cpuinfo) {
  CpuFacts facts;
  std::set<std::pair<std::string, std::string>> cores;
  std::string package = "0";
  int logical = 0;
  bool amx_bfloat16 = false;
  bool amx_int8 = false;
  bool arm_bfloat16 = false;
  bool arm_int8 = false;
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = trim(line.substr(0, colon));
    const std::string value = trim(line.substr(colon + 1));
    if (key == "processor") ++logical;
    if (key == "model name") facts.model_name = value;
    if (key == "physical id") package = value;
    if (key == "core id") cores.emplace(package, value);
    if (key == "flags" || key == "Features") {
      std::istringstream words(value);
      facts.flags_known = true;
      for (std::string flag; words >> flag;) {
        facts.avx2 |= flag == "avx2";
        facts.avx_vnni |= flag == "avx_vnni";
        facts.avx512f |= flag == "avx512f";
        facts.avx512_vnni |= flag == "avx512_vnni";
        facts.avx512_bf16 |= flag == "avx512_bf16";
        amx_bfloat16 |= flag == "amx_bf16";
        amx_int8 |= flag == "amx_int8";
        facts.neon |= flag == "asimd";
        facts.neon_dotprod |= flag == "asimddp";
        arm_bfloat16 |= flag == "bf16";
        arm_int8 |= flag == "i8mm";
      }
    }
  }
  facts.amx = amx_bfloat16 && amx_int8;
  facts.neon_i8mm = arm_bfloat16 && arm_int8;
  facts.logical_cores = std::max(1, logical);
  facts.physical_cores = cores.empty() ? facts.logical_cores : static_cast<int>(cores.size());
  return facts;
}

int parse_cpu_quota(const std::string& text) {
  std::istringstream words(text);
  double quota = 0;
  double period = 0;
  constexpr double many = 1 << 20;
  if (words >> quota >> period && quota > 0 && period > 0) {
    return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, many));
  }
  return static_cast<int>(many);
}

Result<CpuFacts> limited_to(CpuFacts facts, std::string_view level) {
  if (level.empty()) return facts;
  const auto wanted = std::ranges::find(levels, level, &Level::name);
  const std::string is = std::string(level_variable) + " is '" + std::string(level) + "'";
  if (wanted == levels.end()) {
    return Error{
        is + ", which is no level of a CPU",
        "Set it to avx2, avx_vnni, avx512, avx512_vnni, avx512_bf16 or amx, on arm64 to neon, "
        "neon_dotprod or neon_i8mm, or unset it."};
  }
  if (!(facts.*wanted->flag)) {
    return Error{is + ", and this CPU has no more than " + facts.isa(),
                 "Set it to a level up to that, or unset it."};
  }
  for (auto beyond = wanted + 1; beyond != levels.end(); ++beyond) facts.*beyond->flag = false;
  if (facts.avx512f && !facts.avx512_vnni) facts.avx_vnni = false;  // no CPU has it without
  return facts;
}

Result<void> check_cpu_level() {
  const std::string level = wanted_level();
  if (level.empty()) return {};
  const auto limited = limited_to(facts_of_this_cpu(), level);
  if (!limited) return limited.error();
  return {};
}

CpuFacts probe_cpu() {
  auto limited = limited_to(facts_of_this_cpu(), wanted_level());
  if (!limited) throw std::runtime_error(limited.error().message);
  CpuFacts facts = std::move(*limited);
  const int quota = quota_cores();
  facts.logical_cores = std::min(facts.logical_cores, quota);
  facts.physical_cores = std::min(facts.physical_cores, quota);
  return facts;
}

}  // namespace platform
