package io.berth.plugins.device;

import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.model.DeviceClass;
import java.util.List;

/// A request or subrequest, ready to be searched for on one node.
///
/// @param requestName of the request, also where this is one of its subrequests
/// @param count how many devices it needs
/// @param all the devices that a request for all gets; empty for other requests
record Wanted(
        String requestName,
        boolean isSubrequest,
        Ask ask,
        DeviceClass deviceClass,
        SelectorSet selectors,
        int count,
        List<Candidate> all) {
    /// `request` or `request/subrequest`.
    String fullName() {
        return isSubrequest ? requestName + "/" + ask.name() : requestName;
    }
}
