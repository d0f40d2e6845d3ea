package io.berth.app.complete;

import io.berth.app.flag.Flag;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A script that teaches a shell the words of Berth, under both its names. It holds all that it
/// offers: starting a JVM for every word would be felt.
public enum Script {
    BASH,
    ZSH,
    FISH,
    POWERSHELL;

    public String shell() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @param flags in the order in which they are offered
    /// @param commands the words that may come first
    public String text(List<Flag> flags, List<String> commands) {
        return switch (this) {
            case BASH -> bash(flags, commands);
            case ZSH -> zsh(flags, commands);
            case FISH -> fish(flags, commands);
            case POWERSHELL -> powershell(flags, commands);
        };
    }

    private static String bash(List<Flag> flags, List<String> commands) {
        return """
        # Completion of berth and kube-scheduler for bash:
        #   source <(berth completion bash)
        _berth() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
            # --flag=value is three words to bash.
            if [[ $current == "=" ]]; then
                current=
            elif [[ $previous == "=" ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            local IFS=$'\\n'
            case $previous in
                %s)
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen -d -- "$current"; %s))
                    return ;;
                %s)
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen -f -- "$current"))
                    return ;;
                %s)
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen -d -- "$current"))
                    return ;;
                %s)
                    return ;;
            esac
            if [[ $current == -* ]]; then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
            elif ((COMP_CWORD == 1)); then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
            fi
        }
        complete -F _berth berth kube-scheduler
        """
                .formatted(
                        names(flags, Value.CONFIGURATION, "|"),
                        Value.ENDINGS.stream()
                                .map(end -> "compgen -f -X '!*." + end + "' -- \"$current\"")
                                .collect(Collectors.joining("; ")),
                        names(flags, Value.FILE, "|"),
                        names(flags, Value.FOLDER, "|"),
                        names(flags, Value.UNKNOWN, "|"),
                        flags.stream()
                                .map(flag -> "--" + flag.name())
                                .collect(Collectors.joining(" ")),
                        String.join(" ", commands));
    }

    private static String names(List<Flag> flags, Value value, String between) {
        return flags.stream()
                .filter(flag -> Value.of(flag) == value)
                .map(flag -> "--" + flag.name())
                .collect(Collectors.joining(between));
    }

    private static String zsh(List<Flag> flags, List<String> commands) {
        return """
        #compdef berth kube-scheduler
        # Completion of berth and kube-scheduler for zsh:
        #   source <(berth completion zsh)
        _berth() {
            _arguments \\
        %s
                '1:command:(%s)'
        }
        if [ "${funcstack[1]}" = "_berth" ]; then
            _berth "$@"
        else
            compdef _berth berth kube-scheduler
        fi
        """
                .formatted(
                        flags.stream()
                                .map(flag -> "        " + zsh(flag) + " \\")
                                .collect(Collectors.joining("\n")),
                        String.join(" ", commands));
    }

    private static String zsh(Flag flag) {
        String help = flag.help().replaceAll("([\\[\\]:\\\\])", "\\\\$1").replace("'", "'\\''");
        String value =
                switch (Value.of(flag)) {
                    case NONE -> "=-[%s]::value:(true false)";
                    case UNKNOWN -> "=[%s]:value: ";
                    case CONFIGURATION ->
                            "=[%s]:file:_files -g \"*.(" + String.join("|", Value.ENDINGS) + ")\"";
                    case FILE -> "=[%s]:file:_files";
                    case FOLDER -> "=[%s]:directory:_files -/";
                };
        return "'--" + flag.name() + value.formatted(help) + "'";
    }

    private static String fish(List<Flag> flags, List<String> commands) {
        return """
        # Completion of berth and kube-scheduler for fish:
        #   berth completion fish | source
        for program in berth kube-scheduler
            complete -c $program -f
            complete -c $program -n __fish_is_first_arg -a '%s'
        %s
        end
        """
                .formatted(
                        String.join(" ", commands),
                        flags.stream()
                                .map(flag -> "    complete -c $program " + fish(flag))
                                .collect(Collectors.joining("\n")));
    }

    private static String fish(Flag flag) {
        String help = flag.help().replace("\\", "\\\\").replace("'", "\\'");
        String value =
                switch (Value.of(flag)) {
                    case NONE -> "";
                    case UNKNOWN -> " -x";
                    case CONFIGURATION, FILE -> " -r -F";
                    case FOLDER -> " -x -a '(__fish_complete_directories)'";
                };
        return "-l " + flag.name() + value + " -d '" + help + "'";
    }

    private static String powershell(List<Flag> flags, List<String> commands) {
        return """
        # Completion of berth and kube-scheduler for PowerShell:
        #   berth completion powershell | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName 'berth', 'kube-scheduler' -ScriptBlock {
            param($word, $line, $position)
            $known = [ordered]@{
        %s
            }
            $known.GetEnumerator() | Where-Object { $_.Key -like "$word*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new(
                    $_.Key, $_.Key, 'ParameterName', $_.Value)
            }
        }
        """
                .formatted(
                        flags.stream()
                                        .map(flag ->
                                                "        '--%s' = '%s'"
                                                        .formatted(
                                                                flag.name(),
                                                                flag.help().replace("'", "''")))
                                        .collect(Collectors.joining("\n"))
                                + commands.stream()
                                        .map("\n        '%1$s' = '%1$s'"::formatted)
                                        .collect(Collectors.joining()));
    }
}
