"""Machines that do not work, each in its own way, as functions that break an empty FakeMachine."""

import fake_machine as fake
from broken_amd_machines import CAUSES_OF_AMD


def no_gpu(m):
    pass


def intel_only(m):
    m.pci("0000:00:02.0", fake.INTEL, 0x46A6, "i915")


def cpu_pack_beside_nvidia(m):
    m.nvidia()


def cpu_pack_beside_amd(m):
    m.amd()


def nvidia_given_to_a_guest(m):
    m.nvidia_card(driver="vfio-pci")
    m.cuda_pack()


def nouveau(m):
    m.nvidia_card(driver="nouveau")
    m.text("sys/module/nouveau/initstate", "live\n")
    m.cuda_pack()


def nvidia_module_missing(m):
    m.nvidia_card(driver="")
    m.cuda_pack()


def nvidia_node_missing(m):
    m.nvidia_card()
    m.nvidia_module()
    m.cuda_pack()


def nvidia_uvm_missing(m):
    m.nvidia()  # NVML answers without that node
    (m.root / "dev/nvidia-uvm").unlink()
    m.fails("cuda", "cuInit", 999)
    m.cuda_pack()


def node_of_the_card_missing(m):
    m.nvidia()
    (m.root / "dev/nvidia0").unlink()
    m.fails("cuda", "cuInit", 100)
    m.cuda_pack()


def open_module_under_pascal(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce GTX 1080", "cc": [6, 1], "id": 0x1B80}
    m.nvidia(devices=[card])
    m.text("proc/driver/nvidia/version",
           "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n")
    m.fails("cuda", "cuInit", 100)
    m.fails("nvml", "nvmlInit_v2", 999)
    m.cuda_pack(fake.CUDA_12, name="cuda-12")


def container_without_gpu(m):
    m.nvidia_card()
    m.nvidia_module()
    m.text(".dockerenv")
    m.cuda_pack()


def windows_driver_not_on_the_path(m):
    m.node("dxg")
    m.text("proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n")
    m.text("usr/lib/wsl/lib/libcuda.so.1")
    m.cuda_pack()


def no_driver_in_windows(m):
    m.node("dxg")
    m.cuda_pack()


def linux_driver_inside_wsl(m):
    m.node("dxg")
    m.text("usr/lib/x86_64-linux-gnu/libcuda.so.1")
    m.text("usr/lib/wsl/lib/libcuda.so.1")
    m.cuda_pack()


def no_libcuda(m):
    m.nvidia()
    m.library_path = [m.doubles / "nvml"]
    m.fails("nvml", "nvmlInit_v2", 12)
    m.cuda_pack()


def libcuda_is_empty(m):
    m.nvidia()
    folder = m.folder / "empty"
    folder.mkdir()
    (folder / "libcuda.so.1").touch()
    m.library_path = [folder, m.doubles / "nvml"]
    m.cuda_pack()


def cuda_fails(code):
    def build(m):
        m.nvidia()
        m.fails("cuda", "cuInit", code)
        m.fails("nvml", "nvmlInit_v2", 999)
        m.cuda_pack()
    return build


def driver_and_library_differ(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 803)
    m.fails("nvml", "nvmlInit_v2", 18)
    m.cuda_pack()


def gpu_lost(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 999)
    m.fails("nvml", "nvmlInit_v2", 15)
    m.cuda_pack()


def compat_library_in_a_container(m):
    m.nvidia(driver="535.54.03")
    m.fails("cuda", "cuInit", 804)
    m.copied_double("cuda", "usr/local/cuda/compat")
    m.cuda_pack()


def driver_updated_without_a_reboot(m):
    m.nvidia(driver="550.54.14")
    m.fails("cuda", "cuInit", 804)
    m.fails("nvml", "nvmlInit_v2", 18)
    m.cuda_pack()


def cards_hidden(m):
    m.nvidia()
    m.variables["CUDA_VISIBLE_DEVICES"] = "-1"
    m.cuda_pack()


def variable_that_hides_nothing(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 100)
    m.variables["CUDA_VISIBLE_DEVICES"] = "0"
    m.cuda_pack()


def system_keeps_nvml_out(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 999)
    m.fails("nvml", "nvmlInit_v2", 17)
    m.cuda_pack()


def nvidia_probe_hangs(m):
    m.nvidia()
    m.behaves("cuda", "cuInit", "hang")
    m.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
    m.cuda_pack()


def nvidia_probe_aborts(m):
    m.nvidia()
    m.behaves("cuda", "cuInit", "abort")
    m.cuda_pack()


def driver_below_the_floor(m):
    m.nvidia(driver="535.183.01", cuda=12020)
    m.cuda_pack()


def driver_too_old_for_blackwell(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 5090", "cc": [12, 0], "id": 0x2B85}
    m.nvidia(driver="550.54.14", cuda=12040, devices=[card])
    m.cuda_pack(fake.CUDA_12, name="cuda-12")


def no_kernels_for_pascal(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce GTX 1080", "cc": [6, 1], "id": 0x1B80,
            "total_mib": 8192}
    m.nvidia(devices=[card], free_mib=8000)
    m.cuda_pack()


def ptx_newer_than_the_driver(m):
    card = {**fake.RTX_3060, "name": "NVIDIA Future", "cc": [13, 0], "id": 0x2B85}
    m.nvidia(driver="575.51.03", cuda=12090, devices=[card])
    m.cuda_pack({**fake.CUDA_12, "cuda": "12.9", "variant": "cu129", "torch": "2.8.0",
                 "ptx_list": ["12.0"]}, name="cuda-12")
    m.gpu["cuda"]["driver_cuda"] = 12080


def cudnn_8_missing(m):
    m.nvidia()
    m.cuda_pack(fake.CUDNN_8, name="cuda-11")
    m.library_path.remove(m.doubles / "cudnn")


def cudnn_9_missing(m):
    m.nvidia()
    m.cuda_pack()
    m.library_path.remove(m.doubles / "cudnn")


def cublas_missing(m):
    m.nvidia()
    m.cuda_pack()
    m.library_path.remove(m.doubles / "cublas")


def foreign_cudnn(m):
    m.nvidia()
    m.cuda_pack()
    m.gpu["cudnn"] = {"version": 90100}


def cudnn_too_new_for_volta(m):
    card = {**fake.RTX_3060, "name": "Tesla V100-PCIE-16GB", "cc": [7, 0], "id": 0x1DB4}
    m.nvidia(devices=[card])
    m.cuda_pack({**fake.CUDA_13, "arch_list": ["7.0", "7.5"]})


def too_little_free_memory(m):
    m.nvidia(free_mib=300)
    m.cuda_pack()


# Maps a name to the broken machine, the wanted device and the code of the headline.
CAUSES = {
    **CAUSES_OF_AMD,
    "no GPU": (no_gpu, "auto", None),
    "a GPU is asked for and there is none": (no_gpu, "cuda", "NO_GPU"),
    "an Intel card": (intel_only, "auto", None),
    "CPU pack beside an NVIDIA card": (cpu_pack_beside_nvidia, "auto", "CUDA_PACK_MISSING"),
    "CPU pack beside an AMD card": (cpu_pack_beside_amd, "auto", "ROCM_PACK_MISSING"),
    "card given to a guest": (nvidia_given_to_a_guest, "auto", "CARD_IN_OTHER_HANDS"),
    "nouveau": (nouveau, "auto", "NVIDIA_NOUVEAU"),
    "module not loaded": (nvidia_module_missing, "auto", "NVIDIA_MODULE_MISSING"),
    "no /dev/nvidiactl": (nvidia_node_missing, "auto", "NVIDIA_NODE_MISSING"),
    "no /dev/nvidia-uvm": (nvidia_uvm_missing, "auto", "NVIDIA_UVM_MISSING"),
    "no /dev/nvidia0": (node_of_the_card_missing, "auto", "NVIDIA_NODE_MISSING"),
    "open module under Pascal": (open_module_under_pascal, "auto", "NVIDIA_OPEN_MODULE"),
    "container without GPU": (container_without_gpu, "auto", "CONTAINER_NO_GPU"),
    "WSL, path": (windows_driver_not_on_the_path, "auto", "WSL_LIBCUDA"),
    "WSL, no driver": (no_driver_in_windows, "auto", "CUDA_NO_DRIVER"),
    "WSL, Linux driver": (linux_driver_inside_wsl, "auto", "WSL_LINUX_DRIVER"),
    "no libcuda": (no_libcuda, "auto", "CUDA_NO_DRIVER"),
    "empty libcuda": (libcuda_is_empty, "auto", "CUDA_LIBRARY_BROKEN"),
    "cuInit 3": (cuda_fails(3), "auto", "CUDA_NOT_INITIALIZED"),
    "cuInit 34": (cuda_fails(34), "auto", "CUDA_STUB_LIBRARY"),
    "cuInit 35": (cuda_fails(35), "auto", "CUDA_DRIVER_TOO_OLD"),
    "cuInit 46": (cuda_fails(46), "auto", "CUDA_DEVICE_BUSY"),
    "cuInit 100": (cuda_fails(100), "auto", "CUDA_NO_DEVICE"),
    "cuInit 304": (cuda_fails(304), "auto", "CUDA_OS_CALL_FAILED"),
    "cuInit 802": (cuda_fails(802), "auto", "CUDA_FABRIC_NOT_READY"),
    "cuInit 803": (cuda_fails(803), "auto", "CUDA_DRIVER_MISMATCH"),
    "cuInit 804": (cuda_fails(804), "auto", "CUDA_FORWARD_COMPAT"),
    "cuInit 805": (cuda_fails(805), "auto", "CUDA_MPS_DAEMON"),
    "cuInit 999": (cuda_fails(999), "auto", "CUDA_UNKNOWN_ERROR"),
    "NVML 18": (driver_and_library_differ, "auto", "CUDA_DRIVER_MISMATCH"),
    "NVML 17": (system_keeps_nvml_out, "auto", "CUDA_OS_CALL_FAILED"),
    "NVML 15": (gpu_lost, "auto", "GPU_LOST"),
    "804 by a compat library": (compat_library_in_a_container, "auto", "CUDA_COMPAT_IN_CONTAINER"),
    "804 by an update": (driver_updated_without_a_reboot, "auto", "CUDA_DRIVER_NOT_REBOOTED"),
    "CUDA_VISIBLE_DEVICES": (cards_hidden, "auto", "CUDA_DEVICES_HIDDEN"),
    "CUDA_VISIBLE_DEVICES=0": (variable_that_hides_nothing, "auto", "CUDA_NO_DEVICE"),
    "libcuda hangs": (nvidia_probe_hangs, "auto", "PROBE_HUNG"),
    "libcuda aborts": (nvidia_probe_aborts, "auto", "PROBE_CRASHED"),
    "driver below the floor": (driver_below_the_floor, "auto", "CUDA_DRIVER_TOO_OLD"),
    "Blackwell under R550": (driver_too_old_for_blackwell, "auto", "CUDA_DRIVER_TOO_OLD_FOR_CARD"),
    "Pascal under cu130": (no_kernels_for_pascal, "auto", "CUDA_NO_KERNEL_IMAGE"),
    "PTX alone": (ptx_newer_than_the_driver, "auto", "CUDA_UNSUPPORTED_PTX"),
    "cuDNN 8 missing": (cudnn_8_missing, "auto", "CUDNN8_MISSING"),
    "cuDNN 9 missing": (cudnn_9_missing, "auto", "CUDNN9_MISSING"),
    "no cuBLAS": (cublas_missing, "auto", "PACK_LIBRARY_MISSING"),
    "foreign cuDNN": (foreign_cudnn, "auto", "CUDNN_VERSION_MISMATCH"),
    "cuDNN 9.19 on Volta": (cudnn_too_new_for_volta, "auto", "CUDNN_TOO_NEW_FOR_CARD"),
    "GPU memory in use": (too_little_free_memory, "auto", "MEMORY_TOO_SMALL"),
    "MPS on Linux": (no_gpu, "mps", "MPS_NO_METAL"),
}
