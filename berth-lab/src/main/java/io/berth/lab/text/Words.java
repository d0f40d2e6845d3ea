package io.berth.lab.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Small words that several texts share.
final class Words {
    private Words() {}

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// `41s`, `6m12s`, `3h5m`, `12d`.
    static String age(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
        }
        if (seconds < 86_400) {
            return seconds / 3600 + "h" + (seconds / 60 % 60 == 0 ? "" : seconds / 60 % 60 + "m");
        }
        return seconds / 86_400 + "d";
    }

    /// A plugin's name, short enough for a heading.
    static String plugin(String name) {
        return switch (name) {
            case "NodeResourcesFit" -> "fit";
            case "NodeResourcesBalancedAllocation" -> "balanced";
            case "ImageLocality" -> "image";
            case "TaintToleration" -> "taint";
            case "NodeAffinity" -> "affinity";
            case "PodTopologySpread" -> "spread";
            case "InterPodAffinity" -> "pods";
            case "NodeUnschedulable" -> "cordon";
            case "NodePorts" -> "ports";
            case "NodeName" -> "name";
            case "DynamicResources" -> "devices";
            default -> name;
        };
    }

    /// Lines of at most so many characters, broken between words; further lines are indented.
    static List<String> wrapped(String text, int width, String indent) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : text.split(" ", -1)) {
            boolean isFull = line.length() + 1 + word.length() > width;
            if (isFull && line.length() > indent.length()) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
            } else if (!line.isEmpty() && line.length() > (lines.isEmpty() ? 0 : indent.length())) {
                line.append(' ');
            }
            line.append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
