# Completion of ascend-faq: the program itself says what may stand there.
__ascend_faq_complete() {
	local word=${COMP_WORDS[COMP_CWORD]} kind= line
	COMPREPLY=()
	{
		IFS= read -r kind
		while IFS= read -r line; do COMPREPLY+=("${line%%$'\t'*}"); done
	} < <(command ascend-faq complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	[[ $word == = ]] && word=
	case $kind in
	:files | :folders)
		compopt -o filenames
		while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$([[ $kind == :files ]] && echo -f || echo -d)" -- "$word")
		;;
	:open) compopt -o nospace ;;
	esac
}
complete -F __ascend_faq_complete ascend-faq
