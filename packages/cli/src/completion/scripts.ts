/** Shell code that asks `weft __complete` what may come next. A line `:files` hands over to the shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Completion of weft for bash. To have it in every shell: weft completion bash > ~/.local/share/bash-completion/completions/weft
_weft() {
  local IFS=$'\\n' line current
  # Words as the user typed them: bash takes them apart at "=" and ":".
  local typed="\${COMP_LINE:0:COMP_POINT}"
  local -a words
  IFS=' ' read -r -a words <<<"$typed"
  [[ "$typed" == *' ' ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while read -r line; do
    line="\${line%%$'\\t'*}"
    if [[ "$line" == ':files' ]]; then
      compopt -o default
      return
    fi
    # Bash replaces only what follows its last word break.
    [[ "$current" == *[=:]* ]] && line="\${line#"\${current%"\${current##*[=:]}"}"}"
    COMPREPLY+=("$line")
  done < <(weft __complete -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -F _weft weft
`,
  zsh: `#compdef weft
# Completion of weft for zsh. To have it in every shell: weft completion zsh > "\${fpath[1]}/_weft"
_weft() {
  local line
  local -a values
  while IFS= read -r line; do
    if [[ "$line" == ':files' ]]; then
      _files
      return
    fi
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(weft __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'weft' values
}
if [[ "\${funcstack[1]}" == '_weft' ]]; then
  _weft "$@"
else
  compdef _weft weft
fi
`,
  fish: `# Completion of weft for fish. To have it in every shell: weft completion fish > ~/.config/fish/completions/weft.fish
function __weft_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answers (weft __complete -- $words[2..-1] 2>/dev/null)
  if contains -- ':files' $answers
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $answers
  end
end
complete -c weft -f -a '(__weft_complete)'
`,
}
