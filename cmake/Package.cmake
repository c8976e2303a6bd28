# `cpack -G DEB` in a build folder: a Debian package of the component scribed, and of a build with CUDA
# also of the component workers. The libraries of CUDA, 3.5 GB, are in no package: `scribed packs
# install cuda` fetches them.

# These files are in a package only; `cmake --install` leaves them out.
set(debian ${PROJECT_SOURCE_DIR}/packaging/debian)
install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES packaging/debian/lintian-overrides DESTINATION share/lintian/overrides RENAME scribed
        COMPONENT debian EXCLUDE_FROM_ALL)
install(CODE "set(doc \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR})
  file(INSTALL ${debian}/changelog DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}
       RENAME changelog.Debian)
  execute_process(COMMAND gzip -9nf \${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME \${doc}/CHANGELOG.md \${doc}/changelog)
  execute_process(COMMAND gzip -9nf \${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scribed)
set(CPACK_PACKAGE_VENDOR "scribed")
set(CPACK_PACKAGE_CONTACT "scribed <scribed@localhost>")
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};scribed;scribed;/"
                                 "${PROJECT_BINARY_DIR};scribed;debian;/")
# DESTDIR is used so that /etc and texts written at installation go to the same places as without a
# package.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "speech to text with Whisper models, as a command and a server
scribed writes down what is said in audio and video files, or in sound that
is still being recorded. The same is served to programs over HTTP (OpenAI's
audio API, jobs that outlive crashes) and to MCP hosts. Everything is computed
on this machine, on the CPU; models are fetched with scribed models pull.
.
The service is not started by the installation.")
if(SCRIBED_CUDA)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};scribed;workers;/")
  list(TRANSFORM cuda_folders APPEND /lib OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${torch_root}/lib)
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# sysusers makes this package's user. adduser would need the user declared a second time.
# procps has the /bin/kill by which the unit reloads.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "systemd | systemd-standalone-sysusers | systemd-sysusers, ca-certificates, procps")
# It is loaded where SCRIBED_DATABASE names a database.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libpq5")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    "${debian}/conffiles" "${debian}/postinst" "${debian}/prerm" "${debian}/postrm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)
include(CPack)
