#include "server/device/device_json.h"

#include <utility>

#include "platform/facts/facts_json.h"
#include "platform/facts/mask_identifiers.h"
#include "platform/facts/native_facts_json.h"
#include "platform/verdict/verdict_json.h"
#include "server/base/version.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json texts(const std::vector<platform::ComputeCapability>& list) {
  auto array = Json::array();
  for (const auto& capability : list) array.push_back(capability.text());
  return array;
}

Json json_of_pack(const platform::Pack& pack) {
  return {{"name", pack.name},
          {"worker", pack.worker},
          {"build_info", json_of(pack.build)},
          {"install_command", pack.install_command.empty() ? Json() : Json(pack.install_command)},
          {"libraries", platform::to_json(pack.libraries)}};
}

Json json_of_request(const platform::DeviceRequirements& request) {
  return {{"device", platform::to_string(request.device)},
          {"gpu_device", request.device.index ? Json(*request.device.index) : Json()},
          {"model", request.model ? Json(request.model->name) : Json()},
          {"compute_type", request.compute_type},
          {"batch", request.batch},
          {"beam_size", request.beam_size},
          {"flash_attn", request.flash_attn}};
}

}  // namespace

Json json_of(const platform::BuildInfo& build) {
  return {{"torch", build.torch},
          {"variant", build.variant},
          {"backend", platform::name(build.backend)},
          {"cuda", build.cuda},
          {"cudnn", build.cudnn},
          {"rocm", build.rocm},
          {"arch_list", texts(build.arch_list)},
          {"ptx_list", texts(build.ptx_list)},
          {"gfx_list", build.gfx_list},
          {"origin", build.origin}};
}

Json json_of(const std::vector<PackCheck>& packs) {
  auto list = Json::array();
  for (const auto& [pack, problem] : packs) {
    list.push_back(Json{{"pack", pack}, {"problem", problem.empty() ? Json() : Json(problem)}});
  }
  return list;
}

Json json_of(const std::vector<SandboxCheck>& sandboxes) {
  Json json = Json::object();
  for (const auto& [program, shields, problem] : sandboxes) {
    json[program] = {{"active", platform::standing(shields)},
                     {"missing", platform::missing(shields)},
                     {"problem", problem.empty() ? Json() : Json(problem)}};
  }
  return json;
}

Json json_of(const Survey& survey, const platform::ChoiceResult& choice) {
  const auto why = cause(choice);
  auto packs = Json::array();
  for (const auto& pack : survey.packs) packs.push_back(json_of_pack(pack));
  return {{"version", program_version()},
          {"headline", headline(choice)},
          {"works", wanted_works(choice, survey.request.device)},
          {"request", json_of_request(survey.request)},
          {"choice", choice ? Json(nlohmann::json(*choice)) : Json()},
          {"cause", why ? Json(nlohmann::json(*why)) : Json()},
          {"facts", platform::to_json(survey.facts)},
          {"packs", std::move(packs)},
          {"verdicts", nlohmann::json(survey.verdicts)},
          {"matrix", {{"date", survey.matrix.matrix.date}, {"problems", survey.matrix.problems}}}};
}

Json doctor_json(const Survey& survey, const platform::ChoiceResult& choice,
                 const std::vector<SandboxCheck>& sandboxes, const std::vector<PackCheck>& packs) {
  Json report = json_of(survey, choice);
  report["sandbox"] = json_of(sandboxes);
  report["pack_checks"] = json_of(packs);
  return platform::mask_texts(std::move(report), survey.system);
}

}  // namespace server
