# Ctrl-G opens ascend-faq on the words of the command line, or of the command that failed last; Enter on a
# command puts it here, on the prompt. Nothing is run by itself. Load it by: eval "$(ascend-faq shell bash)"
__ascend_faq_key() {
	local status=$? failed= chosen
	case $status in
	0 | 130 | 148) ;;
	*) failed=$(HISTTIMEFORMAT= builtin history 1) && failed=${failed#*[0-9]  } ;;
	esac
	chosen=$(command ascend-faq --print --line "$READLINE_LINE" --failed "$failed" </dev/tty) || return 0
	[ -n "$chosen" ] || return 0
	READLINE_LINE=$chosen
	READLINE_POINT=${#READLINE_LINE}
}
if [[ $- == *i* ]]; then
	bind -m emacs -x '"\C-g": __ascend_faq_key'
	bind -m vi-insert -x '"\C-g": __ascend_faq_key'
fi
