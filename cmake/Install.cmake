# Says what `cmake --install BUILD --prefix PREFIX` puts where; packaging/README.md has the list.
# Components: scribed (the daemon, its command, the worker for CPUs), cuda (the worker for NVIDIA GPUs
# with its libraries) and workers (that worker alone, for packages); the two need the first one.

include(GNUInstallDirs)

# This folder holds everything that is not for people's PATH; platform/runtime_pack looks for it as
# ../lib/scribed.
set(helpers lib/scribed)

# scribed_install_pack(TARGET PACK COMPONENT FOLDER RPATH) installs a worker, its build-info.json,
# and those libraries that it is linked with, directly or through others, that are not the system's.
function(scribed_install_pack target pack component folder rpath)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
  install(TARGETS ${target} RUNTIME_DEPENDENCY_SET ${pack}_libraries
          RUNTIME DESTINATION ${folder} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/build-info/${pack}.json DESTINATION ${folder}
          RENAME build-info.json COMPONENT ${component})
  list(TRANSFORM cuda_folders APPEND /lib OUTPUT_VARIABLE cuda_libraries)
  install(RUNTIME_DEPENDENCY_SET ${pack}_libraries DIRECTORIES ${cuda_libraries}
          PRE_EXCLUDE_REGEXES "^libcuda[.]so" ${ARGN}
          POST_INCLUDE_REGEXES "^${torch_root}/" "/nvidia/" POST_EXCLUDE_REGEXES ".*"
          LIBRARY DESTINATION ${folder} COMPONENT ${component})
  install(CODE "set(pack \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
    set(rpath [[${rpath}]])
    set(strip ${CMAKE_STRIP})" COMPONENT ${component})
  install(SCRIPT cmake/FinishPack.cmake COMPONENT ${component})
endfunction()

install(TARGETS scribed RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT scribed)
install(TARGETS scribed-decode RUNTIME DESTINATION ${helpers} COMPONENT scribed)
# The worker for CPUs loads what needs libtorch from beside itself.
set_target_properties(scribed-torch PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS scribed-torch RUNTIME_DEPENDENCY_SET cpu_libraries
        LIBRARY DESTINATION ${helpers} COMPONENT scribed)
scribed_install_pack(scribed-worker cpu scribed ${helpers} "$ORIGIN")
if(SCRIBED_CUDA)
  # Libraries that both packs need are installed with the CPU's. cuDNN and NVRTC open their other
  # parts by name.
  set(cuda_folder ${helpers}/runtimes/cuda-${torch_cuda_major})
  file(GLOB opened_by_name ${SCRIBED_NVIDIA_ROOT}/cudnn/lib/libcudnn_*.so.*
       ${SCRIBED_NVIDIA_ROOT}/*/lib/libnvrtc.so.* ${SCRIBED_NVIDIA_ROOT}/*/lib/libnvrtc-builtins.so.*
       ${torch_root}/lib/libcaffe2_nvrtc.so)
  install(FILES ${opened_by_name} DESTINATION ${cuda_folder} COMPONENT cuda)
  scribed_install_pack(scribed-worker-cuda cuda cuda ${cuda_folder} "$ORIGIN:$ORIGIN/../.."
    "^lib(torch_cpu|c10|gomp|cudart|cupti)[.]so")
  # The same worker for packages, without its libraries: `scribed packs install` fetches what its list
  # names. Both lie in the same place, so one installation has one or the other.
  set(pack_list packaging/packs/cuda-${torch_cuda_major}.json)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${pack_list})
    install(PROGRAMS $<TARGET_FILE:scribed-worker-cuda> DESTINATION ${cuda_folder} COMPONENT workers)
    install(FILES ${PROJECT_BINARY_DIR}/build-info/cuda.json DESTINATION ${cuda_folder}
            RENAME build-info.json COMPONENT workers)
    install(FILES ${pack_list} DESTINATION ${cuda_folder} RENAME packages.json COMPONENT workers)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    install(CODE "
      set(worker \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${cuda_folder}/scribed-worker\")
      file(RPATH_SET FILE \"\${worker}\" NEW_RPATH [[$ORIGIN/../..]])
      if(CMAKE_INSTALL_DO_STRIP)
        execute_process(COMMAND ${CMAKE_STRIP} \"\${worker}\" COMMAND_ERROR_IS_FATAL ANY)
      endif()
      execute_process(COMMAND ${Python3_EXECUTABLE}
        ${PROJECT_SOURCE_DIR}/cmake/search_libraries_late.py \"\${worker}\"
        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT workers)
  endif()
endif()

# scribed looks for its configuration in /etc alone, so the file is installed only for /usr, and an
# edited one stays as it is.
install(CODE "
  set(etc \${CMAKE_INSTALL_PREFIX}/etc)
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(etc /etc)
  endif()
  if(NOT EXISTS \$ENV{DESTDIR}\${etc}/scribed/config.toml)
    file(INSTALL ${PROJECT_SOURCE_DIR}/packaging/config.toml DESTINATION \${etc}/scribed)
  endif()" COMPONENT scribed)
install(FILES packaging/systemd/scribed.service DESTINATION lib/systemd/system COMPONENT scribed)
install(FILES packaging/sysusers.d/scribed.conf DESTINATION lib/sysusers.d COMPONENT scribed)

# The program itself writes these texts when it is installed.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
install(CODE "set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  set(program $<TARGET_FILE:scribed>)
  set(python ${Python3_EXECUTABLE})
  set(make_page ${PROJECT_SOURCE_DIR}/packaging/man/make_page.py)" COMPONENT scribed)
install(SCRIPT cmake/InstallTexts.cmake COMPONENT scribed)

install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT scribed)
# Licences of what the page has in it; not there where it was left out (server/web).
install(FILES ${PROJECT_BINARY_DIR}/server/web/page-licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT scribed OPTIONAL)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT scribed
        USE_SOURCE_PERMISSIONS PATTERN "__pycache__" EXCLUDE)
install(FILES packaging/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging COMPONENT scribed)
install(FILES packaging/proxy/apache.conf packaging/proxy/Caddyfile packaging/proxy/haproxy.cfg
              packaging/proxy/nginx.conf packaging/proxy/traefik.yaml packaging/proxy/traefik-scribed.yaml
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging/proxy COMPONENT scribed)
install(FILES packaging/avahi/scribed-wyoming.service DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging/avahi
        COMPONENT scribed)
install(FILES packaging/monitoring/grafana-board.json packaging/monitoring/prometheus-rules.yml
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging/monitoring COMPONENT scribed)

# scribed_install_licences(COMPONENT FOLDER…) installs PACKAGE-VERSION.dist-info/licenses, as Python
# packages have them; a user's own libtorch has its licence elsewhere.
function(scribed_install_licences component)
  foreach(folder IN LISTS ARGN)
    string(REGEX REPLACE ".*/([a-z0-9_]+)-[^/]+/licenses" "\\1" package ${folder})
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/${package}
            COMPONENT ${component})
  endforeach()
endfunction()

file(GLOB folders ${torch_root}/../torch-*.dist-info/licenses
     ${torch_root}/../nvidia_cuda_runtime-*.dist-info/licenses)
scribed_install_licences(scribed ${folders})
if(SCRIBED_CUDA)
  file(GLOB folders ${SCRIBED_NVIDIA_ROOT}/../nvidia_*.dist-info/licenses)
  scribed_install_licences(cuda ${folders})
endif()
