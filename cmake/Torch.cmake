# libtorch as an imported target `torch_cpu`. find_package(Torch) of a CUDA build asks for a whole
# toolkit; the CPU pack needs two libraries and the headers only.
# A user's own Torch_DIR (…/share/cmake/Torch) or LIBTORCH wins over what scripts/setup fetched.

if(Torch_DIR)
  cmake_path(SET torch_root NORMALIZE "${Torch_DIR}/../../..")
elseif(DEFINED ENV{LIBTORCH})
  set(torch_root $ENV{LIBTORCH})
else()
  set(torch_root ${PROJECT_SOURCE_DIR}/.deps/torch/torch)
endif()
find_library(TORCH_CPU_LIBRARY torch_cpu PATHS ${torch_root}/lib NO_DEFAULT_PATH)
find_library(C10_LIBRARY c10 PATHS ${torch_root}/lib NO_DEFAULT_PATH)
if(NOT TORCH_CPU_LIBRARY OR NOT C10_LIBRARY)
  message(FATAL_ERROR "libtorch was not found in ${torch_root}. Run ./scripts/setup, or pass "
                      "-DTorch_DIR=<libtorch>/share/cmake/Torch")
endif()

add_library(torch_cpu INTERFACE)
target_include_directories(torch_cpu SYSTEM INTERFACE ${torch_root}/include)
target_compile_definitions(torch_cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
# -rpath-link: libtorch_cpu.so names NVIDIA's runtime libraries, which its own rpath finds.
target_link_libraries(torch_cpu INTERFACE ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
file(GLOB torch_nvidia_libs ${torch_root}/../nvidia/*/lib)
target_link_options(torch_cpu INTERFACE -Wl,-rpath,${torch_root}/lib -Wl,--as-needed)
foreach(dir IN LISTS torch_nvidia_libs)
  target_link_options(torch_cpu INTERFACE -Wl,-rpath-link,${dir})
endforeach()
