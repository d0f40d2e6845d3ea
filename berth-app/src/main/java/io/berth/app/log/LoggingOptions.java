package io.berth.app.log;

import io.berth.api.amount.GoDuration;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.GoText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What the flags of the group "logs" ask for.
///
/// @param flushFrequency how long a line may be held back
public record LoggingOptions(
        String format,
        Duration flushFrequency,
        int verbosity,
        Vmodule vmodule,
        Routing text,
        Routing json) {
    public static final Duration FLUSH_FREQUENCY = Duration.ofSeconds(5);

    private static final String ALPHA = "LoggingAlphaOptions";
    private static final String BETA = "LoggingBetaOptions";

    /// Where the lines of one format go.
    ///
    /// @param splitStream information to standard output, the rest to standard error
    /// @param infoBufferBytes how much information may be held back; 0 for none
    public record Routing(boolean splitStream, long infoBufferBytes) {
        public static final Routing DEFAULT = new Routing(false, 0);
    }

    /// What is wrong with these options, in the words of kube-scheduler.
    public List<String> check(FeatureGates gates) {
        var problems = new ArrayList<String>();
        if (!flushFrequency.isPositive()) {
            problems.add(
                    "flushFrequency: Invalid value: "
                            + GoText.quote(GoDuration.format(flushFrequency))
                            + ": Must be greater than zero");
        }
        if (LogFormat.named(format).isEmpty()) {
            problems.add(
                    "format: Invalid value: " + GoText.quote(format) + ": Unsupported log format");
        } else if (format.equals("json") && !gates.isOn(BETA)) {
            problems.add(
                    "format: Forbidden: Log format json is disabled, see " + BETA + " feature");
        }
        if (!vmodule.isEmpty() && !format.equals("text")) {
            problems.add("vmodule: Forbidden: Only supported for text log format");
        }
        if (!gates.isOn(ALPHA)) {
            forbid("options.text", text, problems);
            forbid("options.json", json, problems);
        }
        return problems;
    }

    private static void forbid(String path, Routing routing, List<String> problems) {
        if (routing.splitStream()) {
            problems.add(path + ".splitStream: Forbidden: Feature " + ALPHA + " is disabled");
        }
        if (routing.infoBufferBytes() != 0) {
            problems.add(path + ".infoBufferSize: Forbidden: Feature " + ALPHA + " is disabled");
        }
    }

    /// Makes a log follow these options, which have been checked.
    public void apply(ProcessLog log) {
        LogFormat chosen = LogFormat.named(format).orElseThrow();
        log.setFormat(chosen);
        log.setVerbosity(verbosity);
        log.setVmodule(vmodule);
        Routing routing = chosen == LogFormat.JSON ? json : text;
        if (routing.splitStream()) {
            int bufferBytes = (int) Math.min(routing.infoBufferBytes(), 1 << 26);
            log.setSink(
                    new SplitSink(
                            new FileOutputStream(FileDescriptor.out),
                            new FileOutputStream(FileDescriptor.err),
                            bufferBytes));
            if (bufferBytes > 0) {
                flushEvery(flushFrequency, log);
            }
        }
    }

    private static void flushEvery(Duration frequency, ProcessLog log) {
        Thread.ofVirtual()
                .name("log-flush")
                .start(() -> {
                    try {
                        while (true) {
                            Thread.sleep(frequency);
                            log.flush();
                        }
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
    }
}
