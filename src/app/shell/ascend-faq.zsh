# Ctrl-G opens ascend-faq on the words of the command line, or of the command that failed last; Enter on a
# command puts it here, on the prompt. Nothing is run by itself. Load it by: eval "$(ascend-faq shell zsh)"
typeset -g __ascend_faq_line= __ascend_faq_failed=
__ascend_faq_preexec() { __ascend_faq_line=$1 }
__ascend_faq_precmd() {
	local code=$?
	__ascend_faq_failed=
	case $code in
	0 | 130 | 148) ;;
	*) __ascend_faq_failed=$__ascend_faq_line ;;
	esac
	return $code
}
__ascend_faq_key() {
	local chosen
	chosen=$(command ascend-faq --print --line "$BUFFER" --failed "$__ascend_faq_failed" </dev/tty)
	if [[ -n $chosen ]]; then
		BUFFER=$chosen
		CURSOR=${#BUFFER}
	fi
	zle reset-prompt
}
if [[ -o interactive ]]; then
	autoload -Uz add-zsh-hook
	add-zsh-hook preexec __ascend_faq_preexec
	# First of all, so that it sees the command's own status.
	precmd_functions=(__ascend_faq_precmd ${precmd_functions:#__ascend_faq_precmd})
	zle -N __ascend_faq_key
	bindkey -M emacs '^G' __ascend_faq_key
	bindkey -M viins '^G' __ascend_faq_key
fi
