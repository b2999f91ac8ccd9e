# Ctrl-G opens ascend-faq on the words of the command line, or of the command that failed last; Enter on a
# command puts it here, on the prompt. Nothing is run by itself. Load it by: ascend-faq shell fish | source
set -g __ascend_faq_failed ''
function __ascend_faq_postexec --on-event fish_postexec
    set -l code $status
    set -g __ascend_faq_failed ''
    if not contains -- $code 0 130 148
        set -g __ascend_faq_failed $argv[1]
    end
end
function __ascend_faq_key
    set -l line (commandline | string collect)
    set -l chosen (command ascend-faq --print --line "$line" --failed "$__ascend_faq_failed" </dev/tty | string collect)
    if test -n "$chosen"
        commandline -r -- $chosen
        commandline -f end-of-buffer
    end
    commandline -f repaint
end
if status is-interactive
    bind \cg __ascend_faq_key
    bind -M insert \cg __ascend_faq_key 2>/dev/null
end
