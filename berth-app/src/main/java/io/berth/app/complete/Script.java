package io.berth.app.complete;

import io.berth.app.flag.Flag;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
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

    /// What there is to offer.
    ///
    /// @param flags of the scheduler, in the order in which they are offered
    /// @param commands the words that may come first
    /// @param commandFlags those after a first word that has flags of its own
    public record Words(
            List<Flag> flags, List<String> commands, SortedMap<String, List<Flag>> commandFlags) {
        public Words {
            flags = List.copyOf(flags);
            commands = List.copyOf(commands);
            commandFlags = Collections.unmodifiableSortedMap(new TreeMap<>(commandFlags));
        }

        /// What a script says about each command that has flags, one after the other.
        private String each(BiFunction<String, List<Flag>, String> said) {
            return commandFlags.entrySet().stream()
                    .map(one -> said.apply(one.getKey(), one.getValue()))
                    .collect(Collectors.joining());
        }
    }

    public String text(Words words) {
        return switch (this) {
            case BASH -> bash(words);
            case ZSH -> zsh(words);
            case FISH -> fish(words);
            case POWERSHELL -> powershell(words);
        };
    }

    private static String shells() {
        return Arrays.stream(values()).map(Script::shell).collect(Collectors.joining(" "));
    }

    private static String bash(Words words) {
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
        %s
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
            if ((COMP_CWORD == 2)) && [[ $previous == completion ]]; then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
        %s    elif [[ $current == -* ]]; then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
            elif ((COMP_CWORD == 1)); then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
            fi
        }
        complete -F _berth berth kube-scheduler
        """
                .formatted(
                        words.flags.stream()
                                .filter(flag -> Value.of(flag) == Value.CHOICE)
                                .map(Script::bashChoice)
                                .collect(Collectors.joining("\n")),
                        names(words.flags, Value.CONFIGURATION),
                        Value.ENDINGS.stream()
                                .map(end -> "compgen -f -X '!*." + end + "' -- \"$current\"")
                                .collect(Collectors.joining("; ")),
                        names(words.flags, Value.FILE),
                        names(words.flags, Value.FOLDER),
                        names(words.flags, Value.UNKNOWN),
                        shells(),
                        words.each(Script::bashCommand),
                        names(words.flags),
                        String.join(" ", words.commands));
    }

    private static String bashCommand(String name, List<Flag> flags) {
        return """
            elif [[ $current == -* && ${COMP_WORDS[1]} == %s ]]; then
                COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
        """
                .formatted(name, names(flags));
    }

    private static String bashChoice(Flag flag) {
        return """
        --%s)
            COMPREPLY=($(IFS=' '; compgen -W "%s" -- "$current"))
            return ;;\
        """
                .formatted(flag.name(), String.join(" ", Value.choices(flag)))
                .indent(8)
                .stripTrailing();
    }

    private static String names(List<Flag> flags, Value value) {
        return flags.stream()
                .filter(flag -> Value.of(flag) == value)
                .map(flag -> "--" + flag.name())
                .collect(Collectors.joining("|"));
    }

    private static String names(List<Flag> flags) {
        return flags.stream().map(flag -> "--" + flag.name()).collect(Collectors.joining(" "));
    }

    private static String zsh(Words words) {
        return """
        #compdef berth kube-scheduler
        # Completion of berth and kube-scheduler for zsh:
        #   source <(berth completion zsh)
        _berth() {
        %s    _arguments \\
        %s
                '1:command:(%s)' \\
                '2: :_berth_second'
        }
        _berth_second() {
            if [[ ${words[2]} == completion ]]; then
                compadd %s
            fi
        }
        if [ "${funcstack[1]}" = "_berth" ]; then
            _berth "$@"
        else
            compdef _berth berth kube-scheduler
        fi
        """
                .formatted(
                        words.each(Script::zshCommand),
                        zsh(words.flags, "        "),
                        String.join(" ", words.commands),
                        shells());
    }

    private static String zshCommand(String name, List<Flag> flags) {
        return """
            if [[ ${words[2]} == %1$s ]] && ((CURRENT > 2)); then
                _arguments \\
        %2$s
                    '1: :(%1$s)'
                return
            fi
        """
                .formatted(name, zsh(flags, "            "));
    }

    private static String zsh(List<Flag> flags, String indent) {
        return flags.stream()
                .map(flag -> indent + zsh(flag) + " \\")
                .collect(Collectors.joining("\n"));
    }

    private static String zsh(Flag flag) {
        String help =
                Value.about(flag).replaceAll("([\\[\\]:\\\\])", "\\\\$1").replace("'", "'\\''");
        String value =
                switch (Value.of(flag)) {
                    case NONE -> "=-[%s]::value:(true false)";
                    case CHOICE -> "=[%s]:value:(" + String.join(" ", Value.choices(flag)) + ")";
                    case UNKNOWN -> "=[%s]:value: ";
                    case CONFIGURATION ->
                            "=[%s]:file:_files -g \"*.(" + String.join("|", Value.ENDINGS) + ")\"";
                    case FILE -> "=[%s]:file:_files";
                    case FOLDER -> "=[%s]:directory:_files -/";
                };
        return "'--" + flag.name() + value.formatted(help) + "'";
    }

    private static String fish(Words words) {
        String others = String.join(" ", words.commands);
        return """
        # Completion of berth and kube-scheduler for fish:
        #   berth completion fish | source
        for program in berth kube-scheduler
            complete -c $program -f
            complete -c $program -n __fish_is_first_arg -a '%s'
            complete -c $program -n '__fish_seen_subcommand_from completion' -a '%s'
        %s%s
        end
        """
                .formatted(
                        String.join(" ", words.commands),
                        shells(),
                        words.each(Script::fishCommand),
                        fish(words.flags, "-n 'not __fish_seen_subcommand_from " + others + "'"));
    }

    private static String fishCommand(String name, List<Flag> flags) {
        return fish(flags, "-n '__fish_seen_subcommand_from " + name + "'") + "\n";
    }

    private static String fish(List<Flag> flags, String when) {
        return flags.stream()
                .map(flag -> "    complete -c $program " + when + " " + fish(flag))
                .collect(Collectors.joining("\n"));
    }

    private static String fish(Flag flag) {
        String help = Value.about(flag).replace("\\", "\\\\").replace("'", "\\'");
        String value =
                switch (Value.of(flag)) {
                    case NONE -> "";
                    case CHOICE -> " -x -a '" + String.join(" ", Value.choices(flag)) + "'";
                    case UNKNOWN -> " -x";
                    case CONFIGURATION, FILE -> " -r -F";
                    case FOLDER -> " -x -a '(__fish_complete_directories)'";
                };
        return "-l " + flag.name() + value + " -d '" + help + "'";
    }

    private static String powershell(Words words) {
        return """
        # Completion of berth and kube-scheduler for PowerShell:
        #   berth completion powershell | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName 'berth', 'kube-scheduler' -ScriptBlock {
            param($word, $line, $position)
            $first = if ($line.CommandElements.Count -gt 1) { "$($line.CommandElements[1])" }
            $known = %sif ($first -eq 'completion') { [ordered]@{
        %s
            } } else { [ordered]@{
        %s
            } }
            $known.GetEnumerator() | Where-Object { $_.Key -like "$word*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new(
                    $_.Key, $_.Key, 'ParameterName', $_.Value)
            }
        }
        """
                .formatted(
                        words.each(Script::powershellCommand),
                        powershell(shells()),
                        powershell(words.flags)
                                + "\n"
                                + powershell(String.join(" ", words.commands)));
    }

    private static String powershellCommand(String name, List<Flag> flags) {
        return """
        if ($first -eq '%s') { [ordered]@{
        %s
            } } else\
        """
                .formatted(name, powershell(flags));
    }

    private static String powershell(List<Flag> flags) {
        return flags.stream()
                .map(flag ->
                        "        '--%s' = '%s'"
                                .formatted(flag.name(), Value.about(flag).replace("'", "''")))
                .collect(Collectors.joining("\n"));
    }

    private static String powershell(String words) {
        return Arrays.stream(words.split(" ", -1))
                .map("        '%1$s' = '%1$s'"::formatted)
                .collect(Collectors.joining("\n"));
    }
}
