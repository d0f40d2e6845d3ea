package io.berth.plugins.device;

import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.cel.DeviceSelectors;
import io.berth.cel.SelectorException;
import java.util.List;

/// Which devices match the selectors of a request. Each device is asked once for each set of
/// selectors, for as long as its slice stays as it is, and only when a search comes to it: an
/// expression that fails on some device matters only to those who would have it.
final class Selection {
    private final DeviceSelectors selectors;
    private final boolean hasBindingConditions;
    private final Node node;

    Selection(DeviceSelectors selectors, boolean hasBindingConditions, Node node) {
        this.selectors = selectors;
        this.hasBindingConditions = hasBindingConditions;
        this.node = node;
    }

    /// @param claim its key, for messages
    boolean includes(Candidate candidate, SelectorSet set, DeviceClass deviceClass, String claim)
            throws AllocationException {
        var device = candidate.device();
        if (!hasBindingConditions && !device.bindingConditions().isEmpty()) {
            return false;
        }
        byte[] known = candidate.view().matches(set);
        if (known[candidate.index()] == SliceView.UNKNOWN) {
            boolean matches =
                    allMatch(candidate, set.ofClass(), "class " + deviceClass.name())
                            && allMatch(candidate, set.ofRequest(), "claim " + claim);
            known[candidate.index()] = matches ? SliceView.MATCHES : SliceView.DIFFERS;
        }
        return known[candidate.index()] == SliceView.MATCHES
                && (!candidate.view().slice().asksDevices() || device.nodes().includes(node));
    }

    private boolean allMatch(Candidate candidate, List<String> expressions, String place)
            throws AllocationException {
        for (int i = 0; i < expressions.size(); i++) {
            try {
                if (!selectors
                        .of(expressions.get(i))
                        .matches(candidate.id().driver(), candidate.device())) {
                    return false;
                }
            } catch (SelectorException failed) {
                String stage =
                        failed.stage() == SelectorException.Stage.COMPILE ? "compile" : "runtime";
                throw AllocationException.fatal(
                        place
                                + ": selector #"
                                + i
                                + ": CEL "
                                + stage
                                + " error: "
                                + failed.getMessage());
            }
        }
        return true;
    }
}
