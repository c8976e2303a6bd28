#include "server/commands/completion_scripts.h"

namespace server {
namespace {

// Each script gets from `scribed complete -- WORDS` a line per candidate, text and description with
// a tab between them, and the line ":files" where names of files fit as well.

constexpr std::string_view bash = R"(# bash completion for scribed

_scribed() {
  local text
  COMPREPLY=()
  while IFS=$'\t' read -r text _; do
    if [[ $text == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r text; do
        COMPREPLY+=("$text")
      done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")
    else
      COMPREPLY+=("$text")
    fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _scribed scribed
)";

constexpr std::string_view zsh = R"(#compdef scribed

_scribed() {
  local line files
  local -i nothing=1
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files* ]]; then
      files=yes
    else
      found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done < <("${(@Q)words[1]/#\~/$HOME}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe scribed found && nothing=0
  [[ -n $files ]] && _files && nothing=0
  return nothing
}

# From fpath this file is the function itself.
if [[ $funcstack[1] == _scribed ]]; then
  _scribed
else
  compdef _scribed scribed
fi
)";

constexpr std::string_view fish = R"(# fish completion for scribed

function __scribed_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct | string collect)
  for line in ($words[1] complete -- $words[2..] "$current" 2>/dev/null)
    if string match -q ':files*' -- $line
      __fish_complete_path $current
    else
      printf '%s\n' $line
    end
  end
end

complete -c scribed -f -a '(__scribed_complete)'
)";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return bash;
  if (shell == "zsh") return zsh;
  if (shell == "fish") return fish;
  return {};
}

}  // namespace server
