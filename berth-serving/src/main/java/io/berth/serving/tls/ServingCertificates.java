package io.berth.serving.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The certificates that we show, reread when their files change. A new pair that cannot be used is
/// told in the log, and the old one stays.
///
/// Read by TLS handshakes, changed by the thread that watches the files.
public final class ServingCertificates implements AutoCloseable {
    /// A pair from files, with the names it was given for.
    private static final class Source {
        private final Path certificate;
        private final Path key;
        private final List<String> names;
        private ServingPair pair;

        Source(Path certificate, Path key, List<String> names) {
            this.certificate = certificate;
            this.key = key;
            this.names = names;
            this.pair = ServingPair.read(certificate, key);
        }

        /// True if there is a new pair.
        boolean reload(ServerLog log) {
            try {
                ServingPair fresh = ServingPair.read(certificate, key);
                boolean changed = !fresh.equals(pair);
                pair = fresh;
                return changed;
            } catch (ServingException broken) {
                log.error(
                        broken,
                        "Reloading the serving certificate failed, the old one stays in use",
                        "cert",
                        certificate,
                        "key",
                        key);
                return false;
            }
        }
    }

    /// All pairs at one time.
    ///
    /// @param exact by host name, and by patterns such as `*.example.com`
    private record Choice(ServingPair main, Map<String, ServingPair> exact) {}

    private final Optional<ServingPair> generated;
    private final List<Source> sources = new ArrayList<>();
    private final boolean mainFromFile;
    private final ServerLog log;
    private final FileChanges changes;
    private volatile Choice choice;

    /// @throws ServingException if a file cannot be used
    public ServingCertificates(ServingSettings settings, ServerLog log) {
        ServingSettings.Files files = settings.files();
        this.log = log;
        this.mainFromFile = files.isGiven();
        this.generated = mainFromFile ? Optional.empty() : Optional.of(generated(settings, log));
        if (mainFromFile) {
            Path certificate = files.certificate().orElseThrow(ServingCertificates::incomplete);
            Path key = files.key().orElseThrow(ServingCertificates::incomplete);
            sources.add(new Source(certificate, key, List.of()));
        }
        for (SniPair pair : files.sniPairs()) {
            try {
                sources.add(new Source(pair.certificate(), pair.key(), pair.names()));
            } catch (ServingException broken) {
                throw new ServingException(
                        "failed to load SNI cert and key: " + broken.getMessage(), broken);
            }
        }
        this.choice = choose();
        warnOfDates();
        List<Path> watched =
                sources.stream()
                        .flatMap(source -> List.of(source.certificate, source.key).stream())
                        .toList();
        this.changes = FileChanges.watch(watched, this::reload, log);
    }

    private static ServingPair generated(ServingSettings settings, ServerLog log) {
        var wish = SelfSigned.Wish.of(settings);
        return settings.files()
                .folder()
                .map(folder -> SelfSigned.inFolder(folder, wish, log))
                .orElseGet(() -> SelfSigned.inMemory(wish, log));
    }

    private static ServingException incomplete() {
        return new ServingException("missing filename for serving cert", null);
    }

    /// The pair for a host name; an exact name goes before a pattern. Without a name, or with one
    /// that nobody claims, the main pair.
    public ServingPair forName(String host) {
        Choice present = choice;
        String name = host.toLowerCase(Locale.ROOT).replaceAll("\\.+$", "");
        ServingPair found = present.exact.get(name);
        String[] labels = name.split("\\.", -1);
        for (int i = 0; found == null && i < labels.length; i++) {
            labels[i] = "*";
            found = present.exact.get(String.join(".", labels));
        }
        return found == null ? present.main : found;
    }

    private void reload() {
        boolean changed = false;
        for (Source source : sources) {
            changed |= source.reload(log);
        }
        if (changed) {
            choice = choose();
            log.info(
                    2,
                    "Loaded serving cert",
                    "subject",
                    choice.main.leaf().getSubjectX500Principal());
            warnOfDates();
        }
    }

    /// Clients refuse a certificate whose time is over; it is shown all the same, as kube-scheduler
    /// does: those who do not check it still come through.
    private void warnOfDates() {
        generated.ifPresent(
                pair -> Validity.warn("serving certificate", "--cert-dir", pair.leaf(), log));
        for (Source source : sources) {
            Validity.warn(
                    "serving certificate", source.certificate.toString(), source.pair.leaf(), log);
        }
    }

    private Choice choose() {
        ServingPair main = generated.orElseGet(() -> sources.getFirst().pair);
        var names = new HashMap<String, ServingPair>();
        List<Source> named = mainFromFile ? sources.subList(1, sources.size()) : sources;
        for (Source source : named) {
            source.pair
                    .names()
                    .forEach(name -> {
                        if (source.names.isEmpty()) {
                            names.putIfAbsent(name, source.pair);
                        }
                    });
        }
        // Names that somebody wrote down go before names that merely stand in a certificate.
        var given = new HashMap<String, ServingPair>();
        for (Source source : named) {
            source.names.forEach(name -> given.putIfAbsent(name, source.pair));
        }
        names.putAll(given);
        return new Choice(main, Map.copyOf(names));
    }

    @Override
    public void close() {
        changes.close();
    }
}
