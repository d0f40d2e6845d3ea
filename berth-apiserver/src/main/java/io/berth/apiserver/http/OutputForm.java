package io.berth.apiserver.http;

import io.berth.apiserver.status.ApiErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the client wants to see, by its `Accept` header.
enum OutputForm {
    WHOLE,
    TABLE,
    METADATA;

    private static final String ACCEPTED = "application/json, application/yaml";

    /// One alternative of the header.
    private record Clause(String type, Map<String, String> parameters, double quality) {}

    /// The first alternative that the server can serve. Protobuf is passed over for JSON where the
    /// client lists both.
    static OutputForm negotiate(String accept, boolean mayTransform) {
        if (accept.isBlank()) {
            return WHOLE;
        }
        for (Clause clause : clauses(accept)) {
            boolean json =
                    switch (clause.type()) {
                        case "application/json", "application/*", "*/*" -> true;
                        default -> false;
                    };
            if (!json) {
                continue;
            }
            String as = clause.parameters().getOrDefault("as", "");
            String group = clause.parameters().getOrDefault("g", "");
            String version = clause.parameters().getOrDefault("v", "");
            if (as.isEmpty()) {
                return WHOLE;
            }
            boolean meta =
                    group.equals("meta.k8s.io")
                            && (version.equals("v1") || version.equals("v1beta1"));
            if (!mayTransform || !meta) {
                continue;
            }
            switch (as) {
                case "Table" -> {
                    return TABLE;
                }
                case "PartialObjectMetadata", "PartialObjectMetadataList" -> {
                    return METADATA;
                }
                default -> {}
            }
        }
        throw ApiErrors.notAcceptable(ACCEPTED);
    }

    private static List<Clause> clauses(String accept) {
        var clauses = new ArrayList<Clause>();
        for (String part : accept.split(",", -1)) {
            String[] pieces = part.trim().split(";", -1);
            var parameters = new HashMap<String, String>();
            double quality = 1;
            for (int i = 1; i < pieces.length; i++) {
                int equals = pieces[i].indexOf('=');
                if (equals < 0) {
                    continue;
                }
                String key = pieces[i].substring(0, equals).trim();
                String value = pieces[i].substring(equals + 1).trim();
                if (key.equals("q")) {
                    quality = quality(value);
                } else {
                    parameters.put(key, value);
                }
            }
            clauses.add(new Clause(pieces[0].trim().toLowerCase(Locale.ROOT), parameters, quality));
        }
        clauses.sort(Comparator.comparingDouble(Clause::quality).reversed());
        return clauses;
    }

    private static double quality(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 1;
        }
    }
}
