#include "engine/worker/reach.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "engine/model_families/load.h"
#include "platform/runtime_pack.h"

namespace engine {
namespace {

namespace fs = std::filesystem;
using platform::FileUse;
using platform::PathRule;
using Rules = std::vector<PathRule>;

struct Row {
  const char* path;
  FileUse use;
};

constexpr std::array of_every_device{
    // These are libraries that are loaded when they are first needed, and what belongs to them.
    Row{"/usr", FileUse::read},
    Row{"/lib", FileUse::read},
    Row{"/lib64", FileUse::read},
    Row{"/etc/ld.so.cache", FileUse::read},
    Row{"/etc/localtime", FileUse::read},
    // These tell of processors, caches, memory and cgroups. Of other processes the kernel shows no
    // memory and no environment to who stands behind Landlock.
    Row{"/proc", FileUse::read},
    Row{"/sys", FileUse::read},
    Row{"/dev/null", FileUse::device},
    Row{"/dev/zero", FileUse::device},
    Row{"/dev/random", FileUse::device},
    Row{"/dev/urandom", FileUse::device},
};

constexpr std::array of_gpus{
    // Drivers and toolkits that no package of the system brought are here.
    Row{"/opt/rocm", FileUse::read},
    Row{"/run/opengl-driver", FileUse::read},
    Row{"/etc/nvidia", FileUse::read},
    Row{"/etc/OpenCL", FileUse::read},
    // These are AMD's driver, and all others of the kernel's DRM.
    Row{"/dev/kfd", FileUse::device},
    Row{"/dev/dri", FileUse::device},
    // A driver shares memory with its other processes here.
    Row{"/dev/shm", FileUse::write},
    // AMD's compiler has its intermediate files there, whatever TMPDIR says.
    Row{"/tmp", FileUse::write},
};

// These are NVIDIA's devices: /dev/nvidia0, nvidiactl, nvidia-uvm, nvidia-caps/; those of Jetson
// and of WSL.
constexpr std::array<std::string_view, 4> device_names{"nvidia", "nvhost", "nvmap", "dxg"};

// Drivers and libtorch keep kernels that they have compiled below the folder that a variable names,
// else below the home folder.
struct KernelCache {
  const char* variable;
  const char* at_home;
};
constexpr std::array kernel_caches{
    KernelCache{"CUDA_CACHE_PATH", ".nv/ComputeCache"},
    KernelCache{"PYTORCH_KERNEL_CACHE_PATH", ".cache/torch/kernels"},
    KernelCache{"MIOPEN_CUSTOM_CACHE_DIR", ".cache/miopen"},
    KernelCache{"MIOPEN_USER_DB_PATH", ".config/miopen"},
    KernelCache{"AMD_COMGR_CACHE_DIR", ".cache/comgr"},
};

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns whether a file beside a model that is one file may belong to it.
bool may_belong(const fs::path& file) {
  constexpr std::array<std::string_view, 4> endings{".json", ".txt", ".tiktoken", ".safetensors"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

// A folder is the model as a whole. Of the folder of a file, which may be a home folder, only what
// may belong to it counts. Links lead elsewhere, as in the hub's own cache.
void add_model(Rules& rules, const fs::path& model) {
  if (model.empty()) return;
  std::error_code ignored;
  const bool is_folder = fs::is_directory(model, ignored);
  rules.push_back({model});
  const fs::path folder = is_folder ? model : fs::absolute(model, ignored).parent_path();
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_folder ? entry.is_symlink(ignored) : may_belong(entry.path())) {
      rules.push_back({entry.path()});
    }
  }
}

// Adds the folders that the loader looks for libraries in, by what the program says of itself.
void add_search_path(std::set<fs::path>& folders) {
  void* const program = ::dlopen(nullptr, RTLD_LAZY);
  if (program == nullptr) return;
  Dl_serinfo size{};
  if (::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<std::max_align_t> room(size.dls_size / sizeof(std::max_align_t) + 1);
    auto* const found = reinterpret_cast<Dl_serinfo*>(room.data());
    *found = size;
    if (::dlinfo(program, RTLD_DI_SERINFO, found) == 0) {
      for (unsigned i = 0; i < found->dls_cnt; ++i) {
        const fs::path folder = found->dls_serpath[i].dls_name;
        if (folder.is_absolute()) folders.insert(folder);
      }
    }
  }
  ::dlclose(program);
}

// The folders of the libraries that are loaded have the others, too, and those of LD_LIBRARY_PATH.
// libscribed-torch.so is loaded behind the walls, from beside the program.
void add_libraries(Rules& rules) {
  std::set<fs::path> folders{platform::program_folder()};
  add_search_path(folders);
  const auto note = [](dl_phdr_info* object, std::size_t, void* found) {
    const fs::path folder = fs::path(object->dlpi_name).parent_path();
    if (folder.is_absolute()) static_cast<std::set<fs::path>*>(found)->insert(folder);
    return 0;
  };
  ::dl_iterate_phdr(note, &folders);
  std::string path = variable("LD_LIBRARY_PATH").string();
  std::ranges::replace(path, ';', ':');
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find(':', at), path.size());
    const fs::path folder = path.substr(at, end - at);
    if (folder.is_absolute()) folders.insert(folder);
    at = end + 1;
  }
  for (const auto& folder : folders) rules.push_back({folder});
}

void add_gpus(Rules& rules) {
  for (const Row& row : of_gpus) rules.push_back({row.path, row.use});
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = std::ranges::any_of(
        device_names, [&](std::string_view prefix) { return name.starts_with(prefix); });
    if (is_one) rules.push_back({entry.path(), FileUse::device});
  }
  const fs::path home = variable("HOME");
  for (const KernelCache& cache : kernel_caches) {
    fs::path folder = variable(cache.variable);
    if (folder.empty() && home.is_absolute()) folder = home / cache.at_home;
    if (folder.is_absolute()) rules.push_back({folder, FileUse::write});
  }
}

}  // namespace

bool is_gpu(std::string_view device) {
  return device != "cpu" && device != "auto";
}

std::vector<PathRule> reachable_paths(const Reach& reach) {
  Rules rules;
  for (const Row& row : of_every_device) rules.push_back({row.path, row.use});
  add_libraries(rules);
  add_model(rules, reach.model);
  // Auxiliary models may be installed or replaced later, so the store as a whole can be read.
  for (const fs::path& model : reach.auxiliary) {
    if (!model.empty()) rules.push_back({model.parent_path().parent_path()});
  }
  std::ranges::move(written_paths(), std::back_inserter(rules));
  if (is_gpu(reach.device)) add_gpus(rules);
  return rules;
}

}  // namespace engine
