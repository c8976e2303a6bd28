#include <gtest/gtest.h>

#include "platform/verdict/diagnose.h"

// These tests check which finding the text of a failure leads to, for the device that it is about.
namespace platform {
namespace {

Backend backend_of(const FindingRow& row) {
  if (row.vendor == "amd") return Backend::rocm;
  if (row.vendor == "apple") return Backend::mps;
  return row.vendor == "cpu" ? Backend::cpu : Backend::cuda;
}

std::string code_of(const Matrix& matrix, Backend backend, std::string_view text) {
  const auto finding = diagnose(text, matrix, {.backend = backend});
  return finding ? finding->code : "";
}

struct Signature {
  const char* text;
  const char* code;
  Backend backend = Backend::cuda;
};

// The texts as libraries, drivers and container engines print them.
constexpr Signature signatures[] = {
    // cuDNN
    {"Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open "
     "shared object file: No such file or directory",
     "CUDNN8_MISSING"},
    {"Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, "
     "libcudnn_ops.so}\nInvalid handle. Cannot load symbol cudnnCreateTensorDescriptor",
     "CUDNN9_MISSING"},
    {"Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9}", "CUDNN9_MISSING"},
    {"libcudnn_graph.so.9: cannot open shared object file: No such file or directory",
     "CUDNN9_MISSING"},
    {"cuDNN version incompatibility: PyTorch was compiled against (9, 10, 2) but found runtime "
     "version (9, 1, 0)",
     "CUDNN_VERSION_MISMATCH"},
    {"cuDNN version 91400 is not compatible with devices with SM < 7.5", "CUDNN_TOO_NEW_FOR_CARD"},
    // driver, kernels, start
    {"Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
     "CUDA_NO_DRIVER"},
    {"The NVIDIA CUDA driver is not installed", "CUDA_NO_DRIVER"},
    {"CUDA error: CUDA driver version is insufficient for CUDA runtime version",
     "CUDA_DRIVER_TOO_OLD"},
    {"The NVIDIA driver on your system is too old (found version 11040).", "CUDA_DRIVER_TOO_OLD"},
    {"CUDA error: no kernel image is available for execution on the device",
     "CUDA_NO_KERNEL_IMAGE"},
    {"NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
     "PyTorch installation.",
     "CUDA_NO_KERNEL_IMAGE"},
    {"CUDA error: invalid device function", "CUDA_NO_KERNEL_IMAGE"},
    {"CUDA error: device kernel image is invalid", "CUDA_INVALID_IMAGE"},
    {"CUDA error: the provided PTX was compiled with an unsupported toolchain.",
     "CUDA_UNSUPPORTED_PTX"},
    {"CUDA error: initialization error", "CUDA_NOT_INITIALIZED"},
    {"CUDA failed with error initialization error", "CUDA_NOT_INITIALIZED"},
    {"Cannot re-initialize CUDA in forked subprocess.", "CUDA_NOT_INITIALIZED"},
    {"CUDA driver initialization failed, you might not have a CUDA gpu.", "CUDA_NOT_INITIALIZED"},
    {"CUDA unknown error - this may be due to an incorrectly set up environment",
     "CUDA_UNKNOWN_ERROR"},
    {"CUDA error: unknown error", "CUDA_UNKNOWN_ERROR"},
    {"CUDA error: forward compatibility was attempted on non supported HW", "CUDA_FORWARD_COMPAT"},
    {"Failed to initialize NVML: Driver/library version mismatch", "CUDA_DRIVER_MISMATCH"},
    {"nvidia-container-cli: initialization error: nvml error: driver/library version mismatch",
     "CUDA_DRIVER_MISMATCH"},
    {"CUDA error: system has unsupported display driver / cuda driver combination",
     "CUDA_DRIVER_MISMATCH"},
    {"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
     "NVIDIA_MODULE_MISSING"},
    {"modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
     "NVIDIA_MODULE_MISSING"},
    {"NVRM: GPU 0000:01:00.0 is already bound to nouveau.", "NVIDIA_NOUVEAU"},
    {"CUDA error: no CUDA-capable device is detected", "CUDA_NO_DEVICE"},
    {"CUDA error: invalid device ordinal", "NO_SUCH_DEVICE"},
    {"HIP error: invalid device ordinal", "NO_SUCH_DEVICE", Backend::rocm},
    {"CUDA error: CUDA-capable device(s) is/are busy or unavailable", "CUDA_DEVICE_BUSY"},
    {"CUDA error: OS call failed or operation not supported on this OS", "CUDA_OS_CALL_FAILED"},
    {"CUDA error: CUDA driver is a stub library", "CUDA_STUB_LIBRARY"},
    {"CUDA error: system not yet initialized", "CUDA_FABRIC_NOT_READY"},
    {"CUDA error: MPS client failed to connect to the MPS control daemon or the MPS server",
     "CUDA_MPS_DAEMON"},
    {"Unable to determine the device handle for GPU0: GPU is lost.  Reboot the system", "GPU_LOST"},
    {"NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.", "GPU_LOST"},
    // containers and WSL
    {"docker: Error response from daemon: could not select device driver \"\" with capabilities: "
     "[[gpu]].",
     "DOCKER_NO_RUNTIME"},
    {"Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all",
     "DOCKER_NO_RUNTIME"},
    {"nvidia-container-cli: requirement error: unsatisfied condition: cuda>=13.0, please update "
     "your "
     "driver to a newer version, or use an earlier cuda container: unknown.",
     "CUDA_DRIVER_TOO_OLD"},
    {"Failed to initialize NVML: Unknown Error", "CONTAINER_NO_GPU"},
    {"libcuda.so.1: cannot open shared object file: No such file or directory", "CUDA_NO_DRIVER"},
    {"open /dev/nvidia0: Permission denied", "NVIDIA_PERMISSION"},
    {"ImportError: /usr/lib/libcuda.so.1: file too short", "CUDA_LIBRARY_BROKEN"},
    // AMD
    {"hipErrorNoBinaryForGpu: Unable to find code object for all current devices!",
     "HIP_NO_KERNELS", Backend::rocm},
    {"RuntimeError: HIP error: invalid device function", "HIP_NO_KERNELS", Backend::rocm},
    {"rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: Illegal seek "
     "for GPU arch : gfx1031",
     "ROCBLAS_NO_KERNELS", Backend::rocm},
    {"rocBLAS error: Could not open TensileLibrary_lazy_gfx1103.dat", "ROCBLAS_NO_KERNELS",
     Backend::rocm},
    {"Unable to open /dev/kfd read-write: Permission denied", "KFD_PERMISSION", Backend::rocm},
    {"open /dev/kfd: Permission denied", "KFD_PERMISSION", Backend::rocm},
    {"libamdhip64.so.6: cannot open shared object file: No such file or directory",
     "ROCM_NOT_INSTALLED", Backend::rocm},
    {"HIP error: no ROCm-capable device is detected", "HIP_NO_DEVICE", Backend::rocm},
    {"Memory access fault by GPU node-1 (Agent handle: 0x5581) on address 0x7f", "HIP_FAILED",
     Backend::rocm},
    {"HIP error: no kernel image is available for execution on the device", "HIP_NO_KERNELS",
     Backend::rocm},
    {"HIP error: CUDA driver version is insufficient for CUDA runtime version", "HIP_FAILED",
     Backend::rocm},
    {"open /dev/dri/renderD128: Permission denied", "KFD_PERMISSION", Backend::rocm},
    {"rocBLAS error: Could not initialize Tensile host: No devices found", "HIP_NO_DEVICE",
     Backend::rocm},
    {"/opt/rocm/lib/libamdhip64.so.6: file too short", "HIP_LIBRARY_BROKEN", Backend::rocm},
    // memory
    {"CUDA out of memory. Tried to allocate 20.00 MiB", "GPU_OUT_OF_MEMORY"},
    {"HIP out of memory. Tried to allocate 2.00 GiB", "GPU_OUT_OF_MEMORY", Backend::rocm},
    {"CUDA failed with error out of memory", "GPU_OUT_OF_MEMORY"},
    {"CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate(handle)",
     "GPU_OUT_OF_MEMORY"},
    {"ggml_cuda: cudaMalloc failed: out of memory", "GPU_OUT_OF_MEMORY"},
    {"MPS backend out of memory (MPS allocated: 5.05 GB, max allowed: 6.80 GB)",
     "MPS_OUT_OF_MEMORY", Backend::mps},
    {"DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes",
     "MEMORY_TOO_SMALL", Backend::cpu},
    // Apple
    {"The operator 'aten::x' is not currently implemented for the MPS device.",
     "MPS_OPERATOR_MISSING", Backend::mps},
    {"The MPS backend is supported on MacOS 14.0+. Current OS version can be queried",
     "MPS_MACOS_TOO_OLD", Backend::mps},
    {"Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. "
     "Please use float32 instead.",
     "MPS_OPERATOR_MISSING", Backend::mps},
    {"BFloat16 is only supported on MacOS 14 or newer", "MPS_BFLOAT16", Backend::mps},
    // others
    {"No SGEMM backend on CPU", "CPU_NO_SGEMM", Backend::cpu},
    {"libc.so.6: version `GLIBC_2.28' not found (required by libtorch_cpu.so)", "GLIBC_TOO_OLD"},
    {"the worker ended with exit code 0xC0000005", "WORKER_FAULT"},
    {"the worker ended with exit code 0xC0000409", "WORKER_FAULT"},
    {"the worker was ended by signal 11 (Segmentation fault)", "WORKER_FAULT"},
    {"CUDA error: an illegal memory access was encountered", "WORKER_FAULT"},
    {"CUDA error: driver shutting down", "WORKER_FAULT"},
    {"terminate called after throwing: cudaErrorCudartUnloading", "WORKER_FAULT"},
};

TEST(Signatures, LeadToTheirFinding) {
  const Matrix matrix = built_in_matrix().matrix;
  for (const auto& [text, code, backend] : signatures) {
    EXPECT_EQ(code_of(matrix, backend, text), code) << text;
  }
}

TEST(Signatures, DoNotTakeWordsThatAnythingMaySay) {
  const Matrix matrix = built_in_matrix().matrix;
  for (const char* text : {"",
                           "unknown error",
                           "initialization error",
                           "Permission denied",
                           "out of memory",
                           "open /etc/scribed/config: Permission denied",
                           "TensileLibrary",
                           "Cannot read the file",
                           "No such file or directory",
                           "the MPS file is not found",
                           "invalid device function",
                           "the model was not found",
                           "cannot open shared object file",
                           "nouveau",
                           "/compat/",
                           "version mismatch",
                           "file not found: hip.wav",
                           "file too short",
                           "/dev/nvidia0 ok\nmkdir: /root/.cache: Permission denied",
                           "libcudnn.so.9 loaded\nlibfoo.so: cannot open shared object file",
                           "/dev/kfd ok\nopen /etc/scribed/config: Permission denied",
                           "rocBLAS error\nTensileLibrary"}) {
    for (const Backend backend : {Backend::cuda, Backend::rocm, Backend::mps, Backend::cpu}) {
      EXPECT_EQ(code_of(matrix, backend, text), "") << text;
    }
  }
}

// A row whose list holds the whole of an earlier row's list could never be reached by it.
TEST(Signatures, AreNotHiddenByEarlierRows) {
  const Matrix matrix = built_in_matrix().matrix;
  for (const auto& row : matrix.findings) {
    for (const auto& parts : row.match) {
      std::string text;
      for (const auto& part : parts) text += part + " … ";
      EXPECT_EQ(code_of(matrix, backend_of(row), text), row.code) << text;
    }
  }
}

}  // namespace
}  // namespace platform
