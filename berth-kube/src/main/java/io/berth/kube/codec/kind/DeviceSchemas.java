package io.berth.kube.codec.kind;

import io.berth.kube.codec.wire.Schema;

/// The numbers of the fields of claims, slices and device classes (`resource.k8s.io/v1`); see
/// [Schemas].
final class DeviceSchemas {
    private static final Schema SELECTOR =
            new Schema().with(1, "cel", new Schema().with(1, "expression"));
    private static final Schema TOLERATION =
            new Schema()
                    .with(1, "key")
                    .with(2, "operator")
                    .with(3, "value")
                    .with(4, "effect")
                    .with(5, "tolerationSeconds");
    private static final Schema CAPACITY_REQUEST = new Schema().withAmounts(1, "requests");
    private static final Schema OPAQUE = new Schema().with(1, "driver").withJson(2, "parameters");

    private static final Schema EXACTLY =
            new Schema()
                    .with(1, "deviceClassName")
                    .withList(2, "selectors", SELECTOR)
                    .with(3, "allocationMode")
                    .with(4, "count")
                    .with(5, "adminAccess")
                    .withList(6, "tolerations", TOLERATION)
                    .with(7, "capacity", CAPACITY_REQUEST);
    private static final Schema SUBREQUEST =
            new Schema()
                    .with(1, "name")
                    .with(2, "deviceClassName")
                    .withList(3, "selectors", SELECTOR)
                    .with(4, "allocationMode")
                    .with(5, "count")
                    .withList(6, "tolerations", TOLERATION)
                    .with(7, "capacity", CAPACITY_REQUEST);
    private static final Schema REQUEST =
            new Schema()
                    .with(1, "name")
                    .with(2, "exactly", EXACTLY)
                    .withList(3, "firstAvailable", SUBREQUEST);
    private static final Schema CONSTRAINT =
            new Schema()
                    .withList(1, "requests")
                    .with(2, "matchAttribute")
                    .with(3, "distinctAttribute");

    // Protobuf has a message of its own around `opaque`, whose fields JSON has in the outer object.
    private static final Schema CONFIGURATION = new Schema().with(1, "opaque", OPAQUE);
    private static final Schema CLAIM_CONFIG =
            new Schema().withList(1, "requests").withInline(2, CONFIGURATION);
    private static final Schema ALLOCATED_CONFIG =
            new Schema().with(1, "source").withList(2, "requests").withInline(3, CONFIGURATION);

    private static final Schema RESULT =
            new Schema()
                    .with(1, "request")
                    .with(2, "driver")
                    .with(3, "pool")
                    .with(4, "device")
                    .with(5, "adminAccess")
                    .withList(6, "tolerations", TOLERATION)
                    .withList(7, "bindingConditions")
                    .withList(8, "bindingFailureConditions")
                    .with(9, "shareID")
                    .withAmounts(10, "consumedCapacity");
    private static final Schema ALLOCATION =
            new Schema()
                    .with(
                            1,
                            "devices",
                            new Schema()
                                    .withList(1, "results", RESULT)
                                    .withList(2, "config", ALLOCATED_CONFIG))
                    .with(3, "nodeSelector", Schemas.NODE_SELECTOR)
                    .withTime(5, "allocationTimestamp");
    private static final Schema CONSUMER =
            new Schema().with(1, "apiGroup").with(3, "resource").with(4, "name").with(5, "uid");
    private static final Schema CONDITION =
            new Schema().with(1, "type").with(2, "status").with(5, "reason").with(6, "message");
    private static final Schema DEVICE_STATUS =
            new Schema()
                    .with(1, "driver")
                    .with(2, "pool")
                    .with(3, "device")
                    .withList(4, "conditions", CONDITION)
                    .with(7, "shareID");

    static final Schema CLAIM =
            Schemas.object(
                    new Schema()
                            .with(
                                    1,
                                    "devices",
                                    new Schema()
                                            .withList(1, "requests", REQUEST)
                                            .withList(2, "constraints", CONSTRAINT)
                                            .withList(3, "config", CLAIM_CONFIG)),
                    new Schema()
                            .with(1, "allocation", ALLOCATION)
                            .withList(2, "reservedFor", CONSUMER)
                            .withList(4, "devices", DEVICE_STATUS));

    private static final Schema COUNTERS =
            new Schema()
                    .with(1, "name")
                    .withMap(2, "counters", new Schema().withAmount(1, "value"));
    private static final Schema CONSUMES =
            new Schema()
                    .with(1, "counterSet")
                    .withMap(2, "counters", new Schema().withAmount(1, "value"));
    private static final Schema ATTRIBUTE =
            new Schema().with(2, "int").with(3, "bool").with(4, "string").with(5, "version");
    private static final Schema POLICY =
            new Schema()
                    .withAmount(1, "default")
                    .withAmountList(3, "validValues")
                    .with(
                            4,
                            "validRange",
                            new Schema()
                                    .withAmount(1, "min")
                                    .withAmount(2, "max")
                                    .withAmount(3, "step"));
    private static final Schema CAPACITY =
            new Schema().withAmount(1, "value").with(2, "requestPolicy", POLICY);
    private static final Schema DEVICE =
            new Schema()
                    .with(1, "name")
                    .withMap(2, "attributes", ATTRIBUTE)
                    .withMap(3, "capacity", CAPACITY)
                    .withList(4, "consumesCounters", CONSUMES)
                    .with(5, "nodeName")
                    .with(6, "nodeSelector", Schemas.NODE_SELECTOR)
                    .with(7, "allNodes")
                    .withList(
                            8,
                            "taints",
                            new Schema().with(1, "key").with(2, "value").with(3, "effect"))
                    .with(9, "bindsToNode")
                    .withList(10, "bindingConditions")
                    .withList(11, "bindingFailureConditions")
                    .with(12, "allowMultipleAllocations");

    static final Schema SLICE =
            Schemas.object(
                    new Schema()
                            .with(1, "driver")
                            .with(
                                    2,
                                    "pool",
                                    new Schema()
                                            .with(1, "name")
                                            .with(2, "generation")
                                            .with(3, "resourceSliceCount"))
                            .with(3, "nodeName")
                            .with(4, "nodeSelector", Schemas.NODE_SELECTOR)
                            .with(5, "allNodes")
                            .withList(6, "devices", DEVICE)
                            .with(7, "perDeviceNodeSelection")
                            .withList(8, "sharedCounters", COUNTERS));

    static final Schema CLASS =
            Schemas.object(
                    new Schema()
                            .withList(1, "selectors", SELECTOR)
                            .withList(2, "config", new Schema().withInline(1, CONFIGURATION))
                            .with(4, "extendedResourceName"));

    private DeviceSchemas() {}
}
