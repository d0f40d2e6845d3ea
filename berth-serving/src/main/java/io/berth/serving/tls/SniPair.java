package io.berth.serving.tls;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A certificate for some host names only: a value of `--tls-sni-cert-key`.
///
/// @param names the host names it is shown for; empty for those that stand in the certificate
public record SniPair(Path certificate, Path key, List<String> names) {
    public SniPair {
        names = List.copyOf(names);
    }

    /// Reads `cert,key` or `cert,key:name,name`.
    ///
    /// @throws IllegalArgumentException with the text for the user
    public static SniPair parse(String value) {
        int colon = value.indexOf(':');
        String paths = colon < 0 ? value : value.substring(0, colon);
        List<String> names = colon < 0 ? List.of() : namesOf(value.substring(colon + 1));
        String[] pair = paths.split(",", -1);
        if (pair.length != 2 || pair[0].isBlank() || pair[1].isBlank()) {
            throw new IllegalArgumentException(
                    "expected comma separated certificate and key file paths");
        }
        return new SniPair(Path.of(pair[0].strip()), Path.of(pair[1].strip()), names);
    }

    private static List<String> namesOf(String list) {
        if (list.isBlank()) {
            throw new IllegalArgumentException("empty names list is not allowed");
        }
        return Arrays.stream(list.split(",", -1))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    /// The form in which `--v=1` shows the flag.
    @Override
    public String toString() {
        String files = certificate + "," + key;
        return names.isEmpty() ? files : files + ":" + String.join(",", names);
    }
}
