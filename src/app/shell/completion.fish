# Completion of ascend-faq: the program itself says what may stand there.
function __ascend_faq_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -q current[1]; or set current ''
    set -l lines (command ascend-faq complete -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
    end
    printf '%s\n' $lines[2..-1]
end
complete -c ascend-faq -f -a '(__ascend_faq_complete)'
