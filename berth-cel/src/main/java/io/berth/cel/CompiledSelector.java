package io.berth.cel;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.berth.api.device.Device;
import io.berth.cel.SelectorException.Stage;
import java.util.Map;
import java.util.regex.Pattern;

/// An expression about a device as the language's library has compiled it. Immutable.
final class CompiledSelector {
    private static final Pattern PLACE = Pattern.compile("^evaluation error(?: at [^:]*:\\d+)?: ");
    private static final Pattern MISSING = Pattern.compile("^key '(.*)' is not present in map\\.$");

    private final CelRuntime.Program program;

    CompiledSelector(CelRuntime.Program program) {
        this.program = program;
    }

    /// @throws SelectorException where the expression fails on this device, or costs more than
    ///   [Cost#LIMIT]
    boolean matches(String driver, Device device, Cost cost) throws SelectorException {
        var variables = Map.of("device", DeviceValue.of(driver, device));
        try {
            return asBoolean(cost.during(() -> program.trace(variables, cost)));
        } catch (CelEvaluationException failed) {
            throw new SelectorException(
                    Stage.RUNTIME, cost.isExceeded() ? Cost.EXCEEDED : text(failed));
        }
    }

    private static boolean asBoolean(Object result) throws SelectorException {
        if (result instanceof Boolean answer) {
            return answer;
        }
        String type = DeviceValue.typeName(result);
        String why =
                result instanceof String
                        ? "unsupported native conversion from string to 'bool'"
                        : "unsupported type conversion from '" + type + "' to bool";
        throw new SelectorException(
                Stage.RUNTIME,
                "CEL result of type " + type + " could not be converted to bool: " + why);
    }

    /// The words of kube-scheduler where a common mistake has other words here.
    private static String text(CelEvaluationException failed) {
        String text = PLACE.matcher(String.valueOf(failed.getMessage())).replaceFirst("");
        var missing = MISSING.matcher(text);
        if (missing.matches()) {
            return "no such key: " + missing.group(1);
        }
        if (failed.getErrorCode() == CelErrorCode.DIVIDE_BY_ZERO) {
            return "division by zero";
        }
        for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof FunctionFailure own) {
                return String.valueOf(own.getMessage());
            }
        }
        return text;
    }
}
