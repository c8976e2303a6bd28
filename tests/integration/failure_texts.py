"""What libraries print when they fail, in the words that people report."""

# Maps what a dying CUDA worker or its libraries print to the finding that it means. The texts are
# those that people report; the cause cannot be seen before something is loaded.
FAILURES = {
    "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open "
    "shared object file: No such file or directory": "CUDNN8_MISSING",
    "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, "
    "libcudnn_ops.so}\nInvalid handle. Cannot load symbol cudnnCreateTensorDescriptor":
        "CUDNN9_MISSING",
    "cuDNN version incompatibility: PyTorch was compiled against (9, 10, 2) but found runtime "
    "version (9, 1, 0).": "CUDNN_VERSION_MISMATCH",
    "cuDNN version 91400 is not compatible with devices with SM < 7.5": "CUDNN_TOO_NEW_FOR_CARD",
    "CUDA driver version is insufficient for CUDA runtime version": "CUDA_DRIVER_TOO_OLD",
    "The NVIDIA driver on your system is too old (found version 11040).": "CUDA_DRIVER_TOO_OLD",
    "Found no NVIDIA driver on your system.": "CUDA_NO_DRIVER",
    "libcuda.so.1: cannot open shared object file: No such file or directory": "CUDA_NO_DRIVER",
    "CUDA error: initialization error": "CUDA_NOT_INITIALIZED",
    "Cannot re-initialize CUDA in forked subprocess.": "CUDA_NOT_INITIALIZED",
    "CUDA driver initialization failed, you might not have a CUDA gpu.": "CUDA_NOT_INITIALIZED",
    "CUDA unknown error - this may be due to an incorrectly set up environment":
        "CUDA_UNKNOWN_ERROR",
    "CUDA error: unknown error": "CUDA_UNKNOWN_ERROR",
    "Failed to initialize NVML: Driver/library version mismatch": "CUDA_DRIVER_MISMATCH",
    "forward compatibility was attempted on non supported HW": "CUDA_FORWARD_COMPAT",
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.":
        "NVIDIA_MODULE_MISSING",
    "CUDA error: no kernel image is available for execution on the device":
        "CUDA_NO_KERNEL_IMAGE",
    "CUDA error: device kernel image is invalid": "CUDA_INVALID_IMAGE",
    "CUDA error: the provided PTX was compiled with an unsupported toolchain.":
        "CUDA_UNSUPPORTED_PTX",
    'docker: Error response from daemon: could not select device driver "" with capabilities: '
    "[[gpu]].": "DOCKER_NO_RUNTIME",
    "CUDA out of memory. Tried to allocate 1.50 GiB.": "GPU_OUT_OF_MEMORY",
    "CUDA failed with error out of memory": "GPU_OUT_OF_MEMORY",
    "ggml: cudaMalloc failed: out of memory": "GPU_OUT_OF_MEMORY",
    "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`":
        "GPU_OUT_OF_MEMORY",
    "CUDA error: driver shutting down": "WORKER_FAULT",
    "Something that nobody has seen before": "WORKER_FAULT",
}

# Maps the texts of a worker on an AMD card.
FAILURES_OF_AMD = {
    "hipErrorNoBinaryForGpu: Unable to find code object for all current devices!":
        "HIP_NO_KERNELS",
    "HIP error: invalid device function": "HIP_NO_KERNELS",
    "HIP error: no kernel image is available for execution on the device": "HIP_NO_KERNELS",
    "HIP error: CUDA driver version is insufficient for CUDA runtime version": "HIP_FAILED",
    "rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or "
    "directory for GPU arch : gfx1103": "ROCBLAS_NO_KERNELS",
    "rocBLAS error: Could not initialize Tensile host: No devices found": "HIP_NO_DEVICE",
    "Unable to open /dev/kfd read-write: Permission denied": "KFD_PERMISSION",
    "open /dev/dri/renderD128: Permission denied": "KFD_PERMISSION",
    "libamdhip64.so: cannot open shared object file": "ROCM_NOT_INSTALLED",
    "no ROCm-capable device is detected": "HIP_NO_DEVICE",
    "HIP out of memory. Tried to allocate 1.50 GiB.": "GPU_OUT_OF_MEMORY",
}

# Maps the texts of a worker on a Mac's GPU.
FAILURES_OF_APPLE = {
    "MPS backend out of memory (MPS allocated: 5.0 GB, max allowed: 5.1 GB).":
        "MPS_OUT_OF_MEMORY",
    "The operator 'aten::x' is not currently implemented for the MPS device.":
        "MPS_OPERATOR_MISSING",
    "Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64.":
        "MPS_OPERATOR_MISSING",
    "The MPS backend is supported on MacOS 14.0+.": "MPS_MACOS_TOO_OLD",
    "BFloat16 is only supported on MacOS 14 or newer": "MPS_BFLOAT16",
}

# Maps the texts of a worker on the CPU.
FAILURES_OF_THE_CPU = {
    "No SGEMM backend on CPU": "CPU_NO_SGEMM",
    "scribed-worker: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found":
        "GLIBC_TOO_OLD",
    "DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes":
        "MEMORY_TOO_SMALL",
}
