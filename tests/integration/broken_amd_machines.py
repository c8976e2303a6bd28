"""Machines with an AMD card that do not work, as broken_machines has them for others."""

import fake_machine as fake


def amdgpu_missing(m):
    m.amd_card(driver="")
    m.pack("rocm-6", fake.ROCM)


def kfd_missing(m):
    m.amd_card()
    m.pack("rocm-6", fake.ROCM)


def hip_missing(m):
    m.amd_card()
    m.node("kfd")
    m.pack("rocm-6", fake.ROCM)


def rocm_on_wsl(m):
    m.amd_card()
    m.node("dxg")
    m.pack("rocm-6", fake.ROCM)


def hip_is_empty(m):
    m.amd()
    folder = m.folder / "empty"
    folder.mkdir()
    (folder / "libamdhip64.so.7").touch()
    m.library_path = [folder]
    m.pack("rocm-6", fake.ROCM)


def amd_card_behind_windows(m):
    m.node("dxg")
    m.text("opt/rocm/lib/libamdhip64.so.6")
    m.double("hip", "rocblas")
    m.fails("hip", "hipInit", 100)
    m.pack("rocm-6", fake.ROCM)


def kfd_without_a_bus(m):
    m.node("kfd", "dri/renderD128")
    m.text("opt/rocm/lib/libamdhip64.so.6")
    m.double("hip", "rocblas")
    m.fails("hip", "hipInit", 3)
    m.pack("rocm-6", fake.ROCM)


def hip_without_device(m):
    m.amd()
    m.fails("hip", "hipInit", 100)
    m.fails("hip", "hipGetDeviceCount", 100)
    m.pack("rocm-6", fake.ROCM)


def hip_fails(m):
    m.amd()
    m.fails("hip", "hipInit", 3)
    m.pack("rocm-6", fake.ROCM)


def hip_hidden(m):
    m.amd()
    m.fails("hip", "hipInit", 100)
    m.fails("hip", "hipGetDeviceCount", 100)
    m.variables["HIP_VISIBLE_DEVICES"] = "-1"
    m.pack("rocm-6", fake.ROCM)


def hip_hangs(m):
    m.amd()
    m.behaves("hip", "hipInit", "hang")
    m.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
    m.pack("rocm-6", fake.ROCM)


def hip_hangs_while_loading(m):
    m.amd()
    m.behaves("hip", "libamdhip64.so.6", "hang")
    m.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
    m.pack("rocm-6", fake.ROCM)


def no_kernels_for_the_6700_xt(m):
    m.amd("gfx1031", 100301, 0x73DF, "AMD Radeon RX 6700 XT")
    m.pack("rocm-6", fake.ROCM)


def rocblas_without_kernels(m):
    m.amd("gfx906", 90006, 0x66AF, "AMD Radeon VII")
    m.pack("rocm-7", {**fake.ROCM, "torch": "2.10.0", "variant": "rocm7.0", "rocm": "7.0"})


def steam_deck(m):
    m.amd("gfx1033", 100303, 0x163F, "AMD Custom GPU 0405")
    m.pack("rocm-6", fake.ROCM)


def harmful_override(m):
    m.amd("gfx1103", 110003, 0x15BF, "AMD Radeon 780M")
    m.variables["HSA_OVERRIDE_GFX_VERSION"] = "11.0.0"
    m.pack("rocm-6", fake.ROCM)


CAUSES_OF_AMD = {
    "WSL, AMD": (amd_card_behind_windows, "auto", "ROCM_ON_WSL"),
    "amdgpu not loaded": (amdgpu_missing, "auto", "AMDGPU_MODULE_MISSING"),
    "no /dev/kfd": (kfd_missing, "auto", "KFD_MISSING"),
    "no HIP runtime": (hip_missing, "auto", "ROCM_NOT_INSTALLED"),
    "empty HIP runtime": (hip_is_empty, "auto", "HIP_LIBRARY_BROKEN"),
    "KFD without a bus": (kfd_without_a_bus, "auto", "HIP_FAILED"),
    "ROCm on WSL": (rocm_on_wsl, "auto", "ROCM_ON_WSL"),
    "HIP shows nothing": (hip_without_device, "auto", "HIP_NO_DEVICE"),
    "hipInit 3": (hip_fails, "auto", "HIP_FAILED"),
    "HIP_VISIBLE_DEVICES": (hip_hidden, "auto", "HIP_DEVICES_HIDDEN"),
    "HIP hangs while loading": (hip_hangs_while_loading, "auto", "HIP_LIBRARY_HANGS"),
    "HIP hangs": (hip_hangs, "auto", "PROBE_HUNG"),
    "gfx1031": (no_kernels_for_the_6700_xt, "auto", "HIP_NO_KERNELS"),
    "gfx906 under ROCm 7": (rocblas_without_kernels, "auto", "ROCBLAS_NO_KERNELS"),
    "gfx1033": (steam_deck, "auto", "GFX_COMPUTES_WRONG"),
    "11.0.0 on gfx1103": (harmful_override, "auto", "HSA_OVERRIDE_HARMFUL"),
}
