package io.berth.serving.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// `/statusz`: since when the process runs, which version it is, which pages it has.
final class StatuszPage {
    private static final DateTimeFormatter UNIX_DATE =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss zzz yyyy", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    private final ProcessFacts facts;
    private final List<String> paths;
    private final InstantSource clock;

    private StatuszPage(ProcessFacts facts, List<String> paths, InstantSource clock) {
        this.facts = facts;
        this.paths = List.copyOf(paths);
        this.clock = clock;
    }

    static ZPage of(ProcessFacts facts, List<String> paths, InstantSource clock, boolean cbor) {
        var page = new StatuszPage(facts, paths, clock);
        return new ZPage("Statusz", page::prose, page::addTo, cbor);
    }

    private String prose() {
        long up = upSeconds();
        return ZPage.header("statusz")
                + """

                Started%1$s %2$s
                Up%1$s %3$d hr %4$02d min %5$02d sec
                Go version%1$s %6$s
                Binary version%1$s %7$s
                Emulation version%1$s %8$s
                Paths%1$s %9$s
                """
                        .formatted(
                                ZPage.separator(),
                                UNIX_DATE.format(facts.started()),
                                up / 3600,
                                up / 60 % 60,
                                up % 60,
                                runtime(),
                                facts.binaryVersion(),
                                facts.emulationVersion(),
                                String.join(" ", paths));
    }

    private void addTo(ObjectNode tree) {
        Instant started = facts.started().truncatedTo(ChronoUnit.SECONDS);
        tree.put("startTime", started.toString());
        tree.put("uptimeSeconds", upSeconds());
        tree.put("goVersion", runtime());
        tree.put("binaryVersion", facts.binaryVersion());
        tree.put("emulationVersion", facts.emulationVersion());
        ArrayNode list = tree.putArray("paths");
        paths.forEach(list::add);
    }

    private long upSeconds() {
        return Math.max(0, Duration.between(facts.started(), clock.instant()).toSeconds());
    }

    private static String runtime() {
        return "java" + Runtime.version();
    }
}
