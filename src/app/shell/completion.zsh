#compdef ascend-faq
# Completion of ascend-faq: the program itself says what may stand there.
__ascend_faq_complete() {
	local -a lines values shown
	local line
	lines=("${(@f)$(command ascend-faq complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	for line in "${(@)lines[2,-1]}"; do
		[[ -n $line ]] || continue
		values+=("${line%%$'\t'*}")
		shown+=("${line/$'\t'/  }")
	done
	case $lines[1] in
	:open) compadd -S '' -l -d shown -a values ;;
	*) (($#values)) && compadd -l -d shown -a values ;;
	esac
	case $lines[1] in
	:files) _files ;;
	:folders) _files -/ ;;
	esac
}
if [[ $funcstack[1] == _ascend-faq ]]; then
	__ascend_faq_complete "$@"
elif (($+functions[compdef])); then
	compdef __ascend_faq_complete ascend-faq
fi
