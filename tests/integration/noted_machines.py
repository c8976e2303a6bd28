"""Machines on which a device works all the same, and of which something is to be said."""

import broken_machines
import fake_machine as fake


def older_driver_of_the_same_major(m):
    m.nvidia(driver="535.183.01", cuda=12020)
    m.cuda_pack(fake.CUDA_12, name="cuda-12")


def nvml_refuses(code):
    def build(m):
        m.nvidia()
        m.fails("nvml", "nvmlInit_v2", code)
        m.cuda_pack()
    return build


def mig(m):
    m.nvidia()
    m.gpu["nvml"]["devices"][0]["mig"] = 1
    m.cuda_pack()


def hardly_enough_memory(m):
    m.nvidia(free_mib=700)
    m.cuda_pack()


def uncertain_kernels(m):
    card = {**fake.RTX_3060, "name": "Tesla V100-PCIE-16GB", "cc": [7, 0], "id": 0x1DB4}
    m.nvidia(devices=[card])
    m.cuda_pack({**fake.CUDA_12, "arch_list": [], "torch": "2.8.0"}, name="cuda-12")


def silent_about_its_architecture(m):
    m.nvidia(devices=[{**fake.RTX_3060, "cc": [0, 0], "id": 0xFFFE}])
    m.cuda_pack()


def architecture_of_the_future(m):
    m.nvidia(devices=[{**fake.RTX_3060, "name": "NVIDIA Future", "cc": [13, 0], "id": 0xFFFE}])
    m.cuda_pack({**fake.CUDA_13, "arch_list": ["12.0", "13.0"]})


def tested_with_issues(m):
    m.nvidia()
    m.cuda_pack({**fake.CUDNN_8, "torch": "2.7.1", "cudnn": "9.1.0.70"}, name="cuda-11")
    m.gpu["cudnn"] = {"version": 90100}


def release_of_the_future(m):
    m.nvidia()
    m.cuda_pack({**fake.CUDA_13, "torch": "3.0.0"})


def bfloat16_on_turing(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 2060", "cc": [7, 5], "id": 0x1F08}
    m.nvidia(devices=[card])
    m.cuda_pack()


def variable_is_set(m):
    m.nvidia()
    m.cuda_pack()
    m.variables["CUDA_VISIBLE_DEVICES"] = "0"


def override_on_rdna2(m):
    m.amd("gfx1031", 100301, 0x73DF, "AMD Radeon RX 6700 XT")
    m.variables["HSA_OVERRIDE_GFX_VERSION"] = "10.3.0"
    m.pack("rocm-6", fake.ROCM)


def rocm_build_that_sources_disagree_on(m):
    m.amd("gfx1150", 110500, 0x150E, "AMD Radeon 890M")
    m.pack("rocm-7", {**fake.ROCM, "torch": "2.10.0", "variant": "rocm7.1", "rocm": "7.1",
                      "gfx_list": []})


def vega_without_fused_attention(m):
    m.amd("gfx906", 90006, 0x66AF, "AMD Radeon VII")
    m.pack("rocm-6", fake.ROCM)


def cpu_without_avx2(m):
    m.text("proc/cpuinfo", "processor: 0\nmodel name: Old\nflags: sse4_2 avx\n\n")
    m.text("proc/sys/kernel/arch", "x86_64\n")


def little_memory_for_float32(m):
    m.text("proc/meminfo", "MemTotal: 2048000 kB\nMemAvailable: 490000 kB\n")


# Maps a name to the machine, the options and a code that is among the findings.
NOTES = {
    "an Intel card": (broken_machines.intel_only, [], "GPU_NOT_SUPPORTED"),
    "driver older than the toolkit": (older_driver_of_the_same_major, [],
                                      "CUDA_DRIVER_OLDER_THAN_TOOLKIT"),
    "NVML 4": (nvml_refuses(4), [], "NVML_PERMISSION"),
    "NVML 12": (nvml_refuses(12), [], "NVML_UNAVAILABLE"),
    "MIG": (mig, [], "MIG_ENABLED"),
    "hardly enough memory": (hardly_enough_memory, [], "MEMORY_TIGHT"),
    "Volta under cu128": (uncertain_kernels, [], "CUDA_KERNELS_UNCERTAIN"),
    "no compute capability": (silent_about_its_architecture, [], "CUDA_KERNELS_UNCERTAIN"),
    "compute capability 13.0": (architecture_of_the_future, [], "PRECISION_UNKNOWN"),
    "2.7.1+cu118": (tested_with_issues, [], "TESTED_WITH_ISSUES"),
    "an unknown torch": (release_of_the_future, [], "TORCH_UNKNOWN"),
    "bfloat16 on Turing": (bfloat16_on_turing, ["--compute-type", "bfloat16"], "PRECISION_SLOW"),
    "float16 on a CPU": (broken_machines.no_gpu, ["--compute-type", "float16"], "PRECISION_NOT_SUPPORTED"),
    "a variable": (variable_is_set, [], "ENVIRONMENT_SET"),
    "HSA override": (override_on_rdna2, [], "HSA_OVERRIDE_SET"),
    "gfx1150 under ROCm 7.1": (rocm_build_that_sources_disagree_on, [], "HIP_KERNELS_UNCERTAIN"),
    "gfx906 under ROCm 6.3": (vega_without_fused_attention, [], "ATTENTION_NOT_FUSED"),
    "no AVX2": (cpu_without_avx2, [], "CPU_NO_AVX2"),
    "little memory": (little_memory_for_float32, [], "MEMORY_REDUCED_PRECISION"),
}
