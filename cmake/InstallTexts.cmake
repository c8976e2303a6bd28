# Run by `cmake --install` with `program` (the scribed that was built), `python`, `make_page` and
# `share`: what the program says of itself, as a page of the manual and as completions.

# write(FILE COMMAND…) writes to FILE, below `share`, what the command prints.
function(write file)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY "${share}/${folder}")
  execute_process(COMMAND ${ARGN} OUTPUT_FILE "${share}/${file}" COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "Installing: ${share}/${file}")
endfunction()

write(bash-completion/completions/scribed "${program}" completion bash)
write(zsh/site-functions/_scribed "${program}" completion zsh)
write(fish/vendor_completions.d/scribed.fish "${program}" completion fish)
write(man/man1/scribed.1 "${python}" "${make_page}" "${program}")
execute_process(COMMAND gzip -9nf "${share}/man/man1/scribed.1" COMMAND_ERROR_IS_FATAL ANY)
