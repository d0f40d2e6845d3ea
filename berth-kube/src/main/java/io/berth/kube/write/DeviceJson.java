package io.berth.kube.write;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceToleration;
import io.berth.api.label.Requirement;
import io.berth.api.spec.NodeSelector;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Devices that were asked for or given, as the API has them.
final class DeviceJson {
    private static final List<String> BINARY_UNITS = List.of("Mi", "Gi", "Ti", "Pi", "Ei");
    private static final long MEBI = 1L << 20;

    private DeviceJson() {}

    static void writeAllocation(JsonGenerator out, DeviceAllocation allocation) throws IOException {
        out.writeStartObject();
        out.writeObjectFieldStart("devices");
        if (!allocation.results().isEmpty()) {
            out.writeArrayFieldStart("results");
            for (var result : allocation.results()) {
                writeResult(out, result);
            }
            out.writeEndArray();
        }
        if (!allocation.config().isEmpty()) {
            out.writeArrayFieldStart("config");
            for (var config : allocation.config()) {
                writeConfig(out, config);
            }
            out.writeEndArray();
        }
        out.writeEndObject();
        if (allocation.nodeSelector() != null) {
            out.writeFieldName("nodeSelector");
            writeSelector(out, allocation.nodeSelector());
        }
        writeTime(out, allocation);
        out.writeEndObject();
    }

    static void writeTime(JsonGenerator out, DeviceAllocation allocation) throws IOException {
        if (allocation.allocatedAt() != null) {
            out.writeStringField(
                    "allocationTimestamp",
                    allocation.allocatedAt().truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    private static void writeResult(JsonGenerator out, DeviceAllocation.Result result)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("request", result.request());
        out.writeStringField("driver", result.device().driver());
        out.writeStringField("pool", result.device().pool());
        out.writeStringField("device", result.device().device());
        if (result.adminAccess() != null) {
            out.writeBooleanField("adminAccess", result.adminAccess());
        }
        writeTolerations(out, result.tolerations());
        writeTexts(out, "bindingConditions", result.bindingConditions());
        writeTexts(out, "bindingFailureConditions", result.bindingFailureConditions());
        if (result.shareId() != null) {
            out.writeStringField("shareID", result.shareId());
        }
        writeAmounts(out, "consumedCapacity", result.consumedCapacity());
        out.writeEndObject();
    }

    private static void writeConfig(JsonGenerator out, DeviceAllocation.Config config)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("source", config.source());
        writeTexts(out, "requests", config.requests());
        if (config.opaque() != null) {
            out.writeObjectFieldStart("opaque");
            out.writeStringField("driver", config.opaque().driver());
            out.writeFieldName("parameters");
            out.writeRawValue(config.opaque().parameters());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static void writeSelector(JsonGenerator out, NodeSelector selector) throws IOException {
        out.writeStartObject();
        out.writeArrayFieldStart("nodeSelectorTerms");
        for (var term : selector.terms()) {
            out.writeStartObject();
            writeRequirements(out, "matchExpressions", term.expressions());
            writeRequirements(out, "matchFields", term.fields());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void writeRequirements(
            JsonGenerator out, String field, List<Requirement> requirements) throws IOException {
        if (requirements.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart(field);
        for (var requirement : requirements) {
            out.writeStartObject();
            out.writeStringField("key", requirement.key());
            out.writeStringField("operator", name(requirement.operator()));
            writeTexts(out, "values", requirement.values());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static String name(Requirement.Operator operator) {
        return switch (operator) {
            case IN -> "In";
            case NOT_IN -> "NotIn";
            case EXISTS -> "Exists";
            case DOES_NOT_EXIST -> "DoesNotExist";
            case GT -> "Gt";
            case LT -> "Lt";
            case UNKNOWN -> "Unknown";
        };
    }

    /// Requests for a number of devices of a class.
    static void writeRequests(JsonGenerator out, List<DeviceClaim.Request> requests)
            throws IOException {
        out.writeArrayFieldStart("requests");
        for (var request : requests) {
            out.writeStartObject();
            out.writeStringField("name", request.name());
            if (request.exactly() != null) {
                out.writeObjectFieldStart("exactly");
                out.writeStringField("deviceClassName", request.exactly().deviceClass());
                out.writeStringField("allocationMode", request.exactly().mode());
                out.writeNumberField("count", request.exactly().count());
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeTolerations(JsonGenerator out, List<DeviceToleration> tolerations)
            throws IOException {
        if (tolerations.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart("tolerations");
        for (var toleration : tolerations) {
            out.writeStartObject();
            writeText(out, "key", toleration.key());
            writeText(out, "operator", toleration.operator());
            writeText(out, "value", toleration.value());
            writeText(out, "effect", toleration.effect());
            if (toleration.seconds() != null) {
                out.writeNumberField("tolerationSeconds", toleration.seconds());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeText(JsonGenerator out, String field, String text) throws IOException {
        if (!text.isEmpty()) {
            out.writeStringField(field, text);
        }
    }

    private static void writeTexts(JsonGenerator out, String field, List<String> texts)
            throws IOException {
        if (!texts.isEmpty()) {
            out.writeArrayFieldStart(field);
            for (var text : texts) {
                out.writeString(text);
            }
            out.writeEndArray();
        }
    }

    private static void writeAmounts(JsonGenerator out, String field, Map<String, Quantity> amounts)
            throws IOException {
        if (amounts.isEmpty()) {
            return;
        }
        out.writeObjectFieldStart(field);
        for (var amount : new TreeMap<>(amounts).entrySet()) {
            out.writeStringField(amount.getKey(), text(amount.getValue()));
        }
        out.writeEndObject();
    }

    /// How people write memory; everything else as a plain number.
    static String text(Quantity amount) {
        if (!amount.isWhole() || amount.value() < MEBI || amount.value() % MEBI != 0) {
            return amount.toString();
        }
        long rest = amount.value() / MEBI;
        int unit = 0;
        while (rest % 1024 == 0 && unit < BINARY_UNITS.size() - 1) {
            rest /= 1024;
            unit++;
        }
        return rest + BINARY_UNITS.get(unit);
    }
}
