package io.berth.kube.codec.kind;

import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.GeneratedClaims.Extended;
import io.berth.api.model.GeneratedClaims.Generated;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what a pod's `status` tells of the resource claims made for it.
final class ClaimStatusReader {
    private final List<Generated> claims = new ArrayList<>();
    private @Nullable Extended extended;

    void clear() {
        claims.clear();
        extended = null;
    }

    /// Null where the status tells of none.
    @Nullable GeneratedClaims claims() {
        return claims.isEmpty() && extended == null ? null : new GeneratedClaims(claims, extended);
    }

    /// `resourceClaimStatuses`.
    void readClaims(ObjectInput in) throws IOException {
        claims.clear();
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String name = "";
            String claimName = null;
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "name" -> name = in.sharedText();
                    case "resourceClaimName" -> claimName = in.isNull() ? null : in.text();
                    default -> in.skip();
                }
            }
            claims.add(new Generated(name, claimName));
        }
    }

    /// `extendedResourceClaimStatus`.
    void readExtended(ObjectInput in) throws IOException {
        extended = null;
        if (!in.beginObject()) {
            return;
        }
        String claimName = "";
        var mappings = new ArrayList<Mapping>();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "resourceClaimName" -> claimName = in.text();
                case "requestMappings" -> readMappings(in, mappings);
                default -> in.skip();
            }
        }
        extended = new Extended(claimName, mappings);
    }

    private static void readMappings(ObjectInput in, List<Mapping> into) throws IOException {
        if (!in.beginArray()) {
            return;
        }
        while (in.nextElement()) {
            String container = "";
            String resource = "";
            String request = "";
            if (!in.beginObject()) {
                continue;
            }
            for (String field = in.nextField(); field != null; field = in.nextField()) {
                switch (field) {
                    case "containerName" -> container = in.sharedText();
                    case "resourceName" -> resource = in.sharedText();
                    case "requestName" -> request = in.sharedText();
                    default -> in.skip();
                }
            }
            into.add(new Mapping(container, resource, request));
        }
    }
}
