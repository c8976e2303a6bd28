#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/build_info.h"
#include "platform/facts/native_facts_json.h"
#include "platform/probe/caller.h"
#include "platform/probe/library_search.h"
#include "platform/probe/pack_libraries.h"
#include "platform/probe/vendor_probes.h"
#include "platform/version.h"

namespace platform {
namespace {

namespace fs = std::filesystem;

using GetVersion = std::size_t();  // cudnnGetVersion
using VersionCheck = int();        // cudnnOpsVersionCheck and its kind

std::optional<BuildInfo> read_build_info(const fs::path& pack) {
  std::ifstream file(pack / "build-info.json");
  const auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  return parse_build_info(json);
}

CodeWords explain_cudnn(const Library& library, int code) {
  auto* text = library.function<const char*(int)>("cudnnGetErrorString");
  const char* name = text != nullptr ? text(code) : nullptr;
  return {name != nullptr ? name : "", {}};
}

// Loads the libraries of a pack one by one, and keeps the results.
class PackLoader {
 public:
  PackLoader(Report& report, PackLibraries& found) : report_(report), found_(found) {}

  std::optional<Library> load(const LibrarySearch& search, const std::string& name) {
    const auto file = search.find(name);
    report_.at("dlopen " + name);
    auto library = Library::open(file ? file->string() : name);
    LibraryLoad load{.soname = name};
    if (library) {
      load.path = library->path();
    } else {
      load.error = library.error().message;
    }
    found_.libraries.push_back(std::move(load));
    report_.so_far(to_json(found_));
    if (!library) return {};
    return std::move(*library);
  }

 private:
  Report& report_;
  PackLibraries& found_;
};

// Asks cuDNN. It loads its parts itself, on its own search path, and a wrong one aborts the process
// there. So they are first loaded here in the same way.
void ask_cudnn(Report& report, PackLibraries& found, const PackLibraryNames& names,
               const LibrarySearch& search) {
  PackLoader loader(report, found);
  if (names.cudnn.empty()) return;
  auto cudnn = loader.load(search, names.cudnn);
  const LibrarySearch own(cudnn ? fs::path(cudnn->path()) : fs::path());
  for (const auto& part : names.cudnn_parts) loader.load(cudnn ? own : search, part);
  if (!cudnn) return;
  if (auto* version = cudnn->function<GetVersion>("cudnnGetVersion")) {
    report.at("cudnnGetVersion");
    found.cudnn = decode_cudnn_version(static_cast<long>(version())).text();
    report.so_far(to_json(found));
  }
  Caller caller(report, found.probe, std::move(*cudnn), explain_cudnn);
  for (const char* check : {"cudnnGraphVersionCheck", "cudnnOpsVersionCheck",
                            "cudnnCnnVersionCheck", "cudnnAdvVersionCheck"}) {
    if (caller.has(check)) caller.require<VersionCheck>({check});
  }
}

void ask_rocblas(Report& report, PackLibraries& found, const PackLibraryNames& names,
                 const LibrarySearch& search) {
  if (names.rocblas.empty()) return;
  std::string name = names.rocblas.front();
  for (auto other = names.rocblas.rbegin(); other != names.rocblas.rend(); ++other) {
    if (search.find(*other)) name = *other;
  }
  PackLoader(report, found).load(search, name);
  // The kernel files are informative even where rocBLAS cannot be loaded.
  const auto file = search.find(name);
  const auto& loaded = found.libraries.back();
  found.rocblas_gfx = rocblas_kernels(file ? *file : fs::path(loaded.path));
}

}  // namespace

PackLibraries ask_pack(Report& report, const fs::path& pack) {
  PackLibraries found;
  const auto build = read_build_info(pack);
  if (!build || build->backend == Backend::cpu || build->backend == Backend::mps) return found;
  const auto names = pack_library_names(*build);
  const LibrarySearch search(
      pack, build->backend == Backend::cuda ? "libtorch_cuda.so" : "libtorch_hip.so");
  for (const auto& name : names.cublas) PackLoader(report, found).load(search, name);
  ask_cudnn(report, found, names, search);
  ask_rocblas(report, found, names, search);
  if (found.probe.outcome == ProbeOutcome::not_run) found.probe.outcome = ProbeOutcome::answered;
  return found;
}

}  // namespace platform
