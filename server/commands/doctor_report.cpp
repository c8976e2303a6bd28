#include "server/commands/doctor_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace server {
namespace {

using platform::Severity;
using platform::Status;

Style style_of(Status status) {
  switch (status) {
    case Status::ok:
    case Status::ok_with_notes:
      return Style::good;
    case Status::degraded:
    case Status::unknown:
      return Style::doubtful;
    case Status::blocked:
      return Style::bad;
  }
  return Style::plain;
}

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return Style::plain;
    case Severity::degraded:
    case Severity::unknown:
      return Style::doubtful;
    case Severity::blocked:
      return Style::bad;
  }
  return Style::plain;
}

std::string capabilities(const std::vector<platform::ComputeCapability>& list) {
  std::vector<std::string> texts;
  for (const auto& capability : list) texts.push_back(capability.text());
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string build_text(const platform::BuildInfo& build) {
  std::string text = build.torch.empty() ? "its build-info.json is missing"
                                         : fmt::format("torch {}+{}", build.torch, build.variant);
  const auto add = [&text](const char* what, const std::string& value) {
    if (!value.empty()) text += fmt::format(", {} {}", what, value);
  };
  add("CUDA", build.cuda);
  add("cuDNN", build.cudnn);
  add("ROCm", build.rocm);
  add("kernels for", capabilities(build.arch_list));
  add("PTX for", capabilities(build.ptx_list));
  add("kernels for", fmt::format("{}", fmt::join(build.gfx_list, " ")));
  if (build.origin != "pytorch") add("built by", build.origin);
  return text;
}

void add_pack_check(Page& page, const PackCheck& check) {
  if (check.problem.empty()) {
    page.row(doctor_indent, doctor_label_width, "", "its files are whole, and its worker starts");
    return;
  }
  page.row(doctor_indent, doctor_label_width, "DAMAGED", check.problem, Style::bad);
  page.row(doctor_indent, doctor_label_width, "",
           "install it again: scribed packs install " + check.pack + " --force");
}

void add_packs(Page& page, const Survey& survey, const std::vector<PackCheck>& checks) {
  page.heading("Runtime packs");
  for (const auto& pack : survey.packs) {
    page.row(doctor_indent, doctor_label_width, pack.name, build_text(pack.build));
    page.row(doctor_indent, doctor_label_width, "", pack.worker);
    if (!pack.install_command.empty()) {
      page.row(doctor_indent, doctor_label_width, "",
               "its libraries are not installed: " + pack.install_command);
    }
    if (!pack.fetched_to.empty()) {
      page.row(doctor_indent, doctor_label_width, "", "libraries in " + pack.fetched_to);
    }
    const auto check = std::ranges::find(checks, pack.name, &PackCheck::pack);
    if (check != checks.end()) add_pack_check(page, *check);
    for (const auto& library : pack.libraries.libraries) {
      page.row(doctor_indent, doctor_label_width, "",
               library.error.empty() ? library.path : library.error);
    }
    if (!pack.libraries.cudnn.empty()) {
      page.row(doctor_indent, doctor_label_width, "", "cuDNN " + pack.libraries.cudnn + " answers");
    }
  }
  if (survey.packs.empty()) page.paragraph(doctor_indent, "none was found");
}

void add_finding(Page& page, const platform::Finding& finding) {
  page.row(doctor_indent + 2, doctor_label_width, name(finding.severity),
           finding.code + ": " + finding.headline, style_of(finding.severity));
  const auto add = [&page](const std::string& label, const std::string& text) {
    if (!text.empty()) page.row(doctor_indent + 4, doctor_label_width - 2, label, text);
  };
  add("found", finding.evidence.found);
  add("needed", finding.evidence.needed);
  add("read from", finding.evidence.read_from);
  for (std::size_t i = 0; i < finding.fix.size(); ++i) {
    add(i == 0 ? "what to do" : "", fmt::format("{}. {}", i + 1, finding.fix[i]));
  }
  add("see", finding.link);
}

std::string device_text(const platform::Verdict& verdict) {
  const std::string device = verdict.device();
  const std::string text = verdict.device_name.empty() ? device : verdict.device_name;
  std::vector<std::string> details;
  if (device != "none" && device != text) details.push_back(device);
  for (const auto& detail : {verdict.architecture, verdict.pci_address}) {
    if (!detail.empty()) details.push_back(detail);
  }
  return details.empty() ? text : fmt::format("{} ({})", text, fmt::join(details, ", "));
}

std::string use_text(const platform::Verdict& verdict,
                     const platform::DeviceRequirements& request) {
  std::string text = verdict.compute_type;
  if (verdict.need > 0 && request.model) {
    text += fmt::format(", {} needs {}", request.model->name, readable_bytes(verdict.need));
    if (verdict.free_memory > 0) text += " of " + readable_bytes(verdict.free_memory) + " free";
  }
  return text;
}

void add_verdict(Page& page, const platform::Verdict& verdict,
                 const platform::DeviceRequirements& request) {
  const std::string pack = verdict.pack.worker.empty() ? "no pack" : "pack " + verdict.pack.name;
  page.row(doctor_indent, doctor_label_width + 2, name(verdict.status),
           fmt::format("{}, {}", device_text(verdict), pack), style_of(verdict.status));
  if (const auto use = use_text(verdict, request); verdict.usable() && !use.empty()) {
    page.row(doctor_indent, doctor_label_width + 2, "", use);
  }
  for (const auto& finding : verdict.findings) add_finding(page, finding);
}

void add_rest(Page& page, const Survey& survey) {
  page.heading("Environment variables that influence GPUs");
  for (const auto& variable : survey.facts.environment) {
    page.paragraph(doctor_indent, fmt::format("{}={}", variable.name, variable.value));
  }
  if (survey.facts.environment.empty()) page.paragraph(doctor_indent, "none is set");
  if (survey.matrix.problems.empty()) return;
  page.heading("Rows of the matrix that are ignored");
  for (const auto& problem : survey.matrix.problems) page.paragraph(doctor_indent, problem);
}

void add_sandboxes(Page& page, const std::vector<SandboxCheck>& sandboxes) {
  page.heading("Sandbox");
  for (const auto& [program, shields, problem] : sandboxes) {
    if (!problem.empty()) page.row(doctor_indent, doctor_label_width, program, problem, Style::bad);
    if (const auto active = platform::standing(shields); !active.empty()) {
      page.row(doctor_indent, doctor_label_width, program,
               fmt::format("{}", fmt::join(active, ", ")));
    }
    for (const auto& shield : platform::missing(shields)) {
      page.row(doctor_indent, doctor_label_width, program, "without " + shield, Style::doubtful);
    }
  }
}

Style headline_style(const platform::ChoiceResult& choice) {
  if (!choice) return Style::bad;
  return choice->fallback ? Style::doubtful : Style::good;
}

}  // namespace

std::string readable_bytes(std::int64_t bytes) {
  constexpr double mib = 1024.0 * 1024, gib = 1024 * mib;
  const auto value = static_cast<double>(bytes);
  return value < gib ? fmt::format("{:.0f} MiB", value / mib)
                     : fmt::format("{:.1f} GiB", value / gib);
}

std::string doctor_report(const Survey& survey, const platform::ChoiceResult& choice,
                          const DoctorChecks& checks, Page::Form form) {
  Page page(std::move(form));
  page.paragraph(0, headline(choice), headline_style(choice));
  if (const auto rest = consequence(choice); !rest.empty()) page.paragraph(0, rest);
  add_machine(page, survey);
  add_packs(page, survey, checks.packs);
  page.heading("Verdicts");
  for (const auto& verdict : survey.verdicts) add_verdict(page, verdict, survey.request);
  add_sandboxes(page, checks.sandboxes);
  add_rest(page, survey);
  return page.text();
}

}  // namespace server
