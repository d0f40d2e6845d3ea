package io.berth.config.gate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// All gates of kube-scheduler, by name, from the resource `gates.txt`, which explains its form
/// itself. The two that stand for many, `AllAlpha` and `AllBeta`, are among them.
final class GateTable {
    static final String ALL_ALPHA = "AllAlpha";
    static final String ALL_BETA = "AllBeta";

    private GateTable() {}

    static final SortedMap<String, Gate> GATES = Collections.unmodifiableSortedMap(read());

    private static SortedMap<String, Gate> read() {
        var gates = new TreeMap<String, Gate>();
        add(gates, ALL_ALPHA + " 0.0:alpha:off");
        add(gates, ALL_BETA + " 0.0:beta:off");
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        GateTable.class.getResourceAsStream("gates.txt"),
                                        "gates.txt is missing from the jar"),
                                StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> add(gates, line));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return gates;
    }

    private static void add(SortedMap<String, Gate> gates, String line) {
        String[] words = line.split(" ", -1);
        var periods = new ArrayList<Gate.Period>();
        List<String> needs = List.of();
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith("<")) {
                needs = List.of(words[i].substring(1).split(",", -1));
            } else {
                periods.add(period(words[i]));
            }
        }
        boolean isRead = words[0].endsWith("*");
        String name = isRead ? words[0].substring(0, words[0].length() - 1) : words[0];
        gates.put(name, new Gate(name, isRead, periods, needs));
    }

    /// Reads `1.33:beta:on!`.
    private static Gate.Period period(String word) {
        String[] parts = word.split(":", -1);
        Stage stage =
                parts[1].equals("ga")
                        ? Stage.GENERAL
                        : Stage.valueOf(parts[1].toUpperCase(Locale.ROOT));
        return new Gate.Period(
                KubeVersion.of(parts[0]), stage, parts[2].startsWith("on"), parts[2].endsWith("!"));
    }
}
