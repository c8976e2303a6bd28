#pragma once

// The stable codes of findings: users search for them, the matrix holds their words, and the GPU
// guide has a section for each.
namespace platform::code {

// The machine and its packs
inline constexpr char no_gpu[] = "NO_GPU";
inline constexpr char gpu_not_supported[] = "GPU_NOT_SUPPORTED";      // Intel and others
inline constexpr char card_in_other_hands[] = "CARD_IN_OTHER_HANDS";  // vfio-pci
inline constexpr char cuda_pack_missing[] = "CUDA_PACK_MISSING";
inline constexpr char rocm_pack_missing[] = "ROCM_PACK_MISSING";
inline constexpr char cpu_pack_missing[] = "CPU_PACK_MISSING";
inline constexpr char mps_pack_missing[] = "MPS_PACK_MISSING";
inline constexpr char no_such_device[] = "NO_SUCH_DEVICE";  // cuda:3 of two
inline constexpr char docker_no_runtime[] = "DOCKER_NO_RUNTIME";
inline constexpr char container_no_gpu[] = "CONTAINER_NO_GPU";
inline constexpr char system_call_refused[] = "SYSTEM_CALL_REFUSED";
inline constexpr char probe_hung[] = "PROBE_HUNG";
inline constexpr char probe_crashed[] = "PROBE_CRASHED";
inline constexpr char probe_not_started[] = "PROBE_NOT_STARTED";
inline constexpr char environment_set[] = "ENVIRONMENT_SET";

// NVIDIA: kernel module, nodes, user library
inline constexpr char nvidia_module_missing[] = "NVIDIA_MODULE_MISSING";
inline constexpr char nvidia_open_module[] = "NVIDIA_OPEN_MODULE";  // before Turing
inline constexpr char nvidia_nouveau[] = "NVIDIA_NOUVEAU";
inline constexpr char nvidia_node_missing[] = "NVIDIA_NODE_MISSING";
inline constexpr char nvidia_uvm_missing[] = "NVIDIA_UVM_MISSING";
inline constexpr char nvidia_permission[] = "NVIDIA_PERMISSION";
inline constexpr char cuda_no_driver[] = "CUDA_NO_DRIVER";
inline constexpr char cuda_library_broken[] = "CUDA_LIBRARY_BROKEN";
inline constexpr char wsl_libcuda[] = "WSL_LIBCUDA";
inline constexpr char wsl_linux_driver[] = "WSL_LINUX_DRIVER";
// Results of cuInit and NVML
inline constexpr char cuda_stub_library[] = "CUDA_STUB_LIBRARY";
inline constexpr char cuda_not_initialized[] = "CUDA_NOT_INITIALIZED";
inline constexpr char cuda_no_device[] = "CUDA_NO_DEVICE";
inline constexpr char cuda_devices_hidden[] = "CUDA_DEVICES_HIDDEN";
inline constexpr char cuda_device_busy[] = "CUDA_DEVICE_BUSY";
inline constexpr char cuda_os_call_failed[] = "CUDA_OS_CALL_FAILED";
inline constexpr char cuda_fabric_not_ready[] = "CUDA_FABRIC_NOT_READY";
inline constexpr char cuda_driver_mismatch[] = "CUDA_DRIVER_MISMATCH";          // 803, NVML 18
inline constexpr char cuda_compat_in_container[] = "CUDA_COMPAT_IN_CONTAINER";  // 804, cause A
inline constexpr char cuda_driver_not_rebooted[] = "CUDA_DRIVER_NOT_REBOOTED";  // 804, cause B
inline constexpr char cuda_forward_compat[] = "CUDA_FORWARD_COMPAT";  // 804, neither is seen
inline constexpr char cuda_mps_daemon[] = "CUDA_MPS_DAEMON";
inline constexpr char cuda_unknown_error[] = "CUDA_UNKNOWN_ERROR";
inline constexpr char nvml_unavailable[] = "NVML_UNAVAILABLE";
inline constexpr char nvml_permission[] = "NVML_PERMISSION";
inline constexpr char gpu_lost[] = "GPU_LOST";
inline constexpr char mig_enabled[] = "MIG_ENABLED";
// Driver, kernels, libraries
inline constexpr char cuda_driver_too_old[] = "CUDA_DRIVER_TOO_OLD";
inline constexpr char cuda_driver_older_than_toolkit[] = "CUDA_DRIVER_OLDER_THAN_TOOLKIT";
inline constexpr char cuda_driver_too_old_for_card[] = "CUDA_DRIVER_TOO_OLD_FOR_CARD";
inline constexpr char cuda_no_kernel_image[] = "CUDA_NO_KERNEL_IMAGE";
inline constexpr char cuda_kernels_uncertain[] = "CUDA_KERNELS_UNCERTAIN";
inline constexpr char cuda_invalid_image[] = "CUDA_INVALID_IMAGE";
inline constexpr char cuda_unsupported_ptx[] = "CUDA_UNSUPPORTED_PTX";
inline constexpr char cudnn8_missing[] = "CUDNN8_MISSING";
inline constexpr char cudnn9_missing[] = "CUDNN9_MISSING";
inline constexpr char cudnn_version_mismatch[] = "CUDNN_VERSION_MISMATCH";
inline constexpr char cudnn_too_new_for_card[] = "CUDNN_TOO_NEW_FOR_CARD";

// AMD
inline constexpr char amdgpu_module_missing[] = "AMDGPU_MODULE_MISSING";
inline constexpr char kfd_missing[] = "KFD_MISSING";
inline constexpr char kfd_permission[] = "KFD_PERMISSION";
inline constexpr char rocm_not_installed[] = "ROCM_NOT_INSTALLED";
inline constexpr char hip_library_broken[] = "HIP_LIBRARY_BROKEN";
inline constexpr char rocm_on_wsl[] = "ROCM_ON_WSL";
inline constexpr char hip_no_device[] = "HIP_NO_DEVICE";
inline constexpr char hip_devices_hidden[] = "HIP_DEVICES_HIDDEN";
inline constexpr char hip_failed[] = "HIP_FAILED";
inline constexpr char hip_no_kernels[] = "HIP_NO_KERNELS";
inline constexpr char hip_kernels_uncertain[] = "HIP_KERNELS_UNCERTAIN";
inline constexpr char rocblas_no_kernels[] = "ROCBLAS_NO_KERNELS";
inline constexpr char gfx_computes_wrong[] = "GFX_COMPUTES_WRONG";
inline constexpr char hsa_override_set[] = "HSA_OVERRIDE_SET";
inline constexpr char hsa_override_harmful[] = "HSA_OVERRIDE_HARMFUL";
inline constexpr char hip_library_hangs[] = "HIP_LIBRARY_HANGS";

// Apple
inline constexpr char mps_no_metal[] = "MPS_NO_METAL";
inline constexpr char mps_macos_too_old[] = "MPS_MACOS_TOO_OLD";
inline constexpr char mps_card_not_supported[] = "MPS_CARD_NOT_SUPPORTED";
inline constexpr char mps_rosetta[] = "MPS_ROSETTA";
inline constexpr char mps_operator_missing[] = "MPS_OPERATOR_MISSING";
inline constexpr char mps_out_of_memory[] = "MPS_OUT_OF_MEMORY";
inline constexpr char mps_bfloat16[] = "MPS_BFLOAT16";

// Any device
inline constexpr char torch_unknown[] = "TORCH_UNKNOWN";
inline constexpr char tested_with_issues[] = "TESTED_WITH_ISSUES";
inline constexpr char memory_too_small[] = "MEMORY_TOO_SMALL";
inline constexpr char memory_tight[] = "MEMORY_TIGHT";
inline constexpr char memory_reduced_precision[] = "MEMORY_REDUCED_PRECISION";
inline constexpr char gpu_out_of_memory[] = "GPU_OUT_OF_MEMORY";
inline constexpr char precision_not_supported[] = "PRECISION_NOT_SUPPORTED";
inline constexpr char precision_unknown[] = "PRECISION_UNKNOWN";
inline constexpr char precision_slow[] = "PRECISION_SLOW";
inline constexpr char attention_not_fused[] = "ATTENTION_NOT_FUSED";
inline constexpr char pack_library_missing[] = "PACK_LIBRARY_MISSING";
inline constexpr char smoke_run_failed[] = "SMOKE_RUN_FAILED";
inline constexpr char worker_failed[] = "WORKER_FAILED";
// The worker had an access violation at a model switch or at the end.
inline constexpr char worker_fault[] = "WORKER_FAULT";

// CPU
inline constexpr char cpu_no_avx2[] = "CPU_NO_AVX2";
inline constexpr char cpu_no_sgemm[] = "CPU_NO_SGEMM";
inline constexpr char glibc_too_old[] = "GLIBC_TOO_OLD";

}  // namespace platform::code
