# Run by `cmake --install` on the folder of a runtime pack, with `pack` (its path) and `rpath`.
# libtorch looks for NVIDIA's packages two folders above its own, and a worker for libtorch where it
# was built; here all libraries of a pack lie together.

file(GLOB files "${pack}/*.so*" "${pack}/scribed-worker")
foreach(file IN LISTS files)
  unset(old_rpath)
  unset(old_runpath)
  file(READ_ELF "${file}" RPATH old_rpath RUNPATH old_runpath CAPTURE_ERROR not_elf)
  if("${old_rpath}${old_runpath}" MATCHES "/")
    file(RPATH_SET FILE "${file}" NEW_RPATH "${rpath}")
  endif()
  # Stripping pays: a fifth of libtorch is names for debuggers.
  if(CMAKE_INSTALL_DO_STRIP AND file MATCHES "/lib(torch|c10)[^/]*$")
    execute_process(COMMAND ${strip} --strip-unneeded "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
