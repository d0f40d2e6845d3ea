package io.berth.kube.codec.kind;

import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.Reach;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.device.DeviceParts;
import io.berth.kube.codec.device.DeviceReader;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads resource slices.
final class ResourceSliceReader implements KindReader {
    private String driver = "";
    private String poolName = "";
    private long generation;
    private long sliceCount;
    private String nodeName = "";
    private boolean allNodes;
    private @Nullable NodeSelector nodeSelector;
    private @Nullable Boolean isPerDevice;
    private List<Device> devices = List.of();
    private List<CounterSet> sharedCounters = List.of();

    @Override
    public void clear() {
        driver = "";
        poolName = "";
        generation = 0;
        sliceCount = 0;
        nodeName = "";
        allNodes = false;
        nodeSelector = null;
        isPerDevice = null;
        devices = List.of();
        sharedCounters = List.of();
    }

    @Override
    public void read(String part, ObjectInput in) throws IOException {
        if (!part.equals("spec")) {
            in.skip();
            return;
        }
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "driver" -> driver = in.sharedText();
                case "pool" -> readPool(in);
                case "nodeName" -> nodeName = in.sharedText();
                case "nodeSelector" -> nodeSelector = DeviceParts.nodeSelector(in);
                case "allNodes" -> allNodes = in.flag();
                case "perDeviceNodeSelection" -> isPerDevice = in.isNull() ? null : in.flag();
                case "devices" -> devices = DeviceParts.list(in, () -> DeviceReader.device(in));
                case "sharedCounters" ->
                        sharedCounters =
                                DeviceParts.list(in, () -> DeviceReader.counters(in, "name"));
                default -> in.skip();
            }
        }
    }

    private void readPool(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> poolName = in.sharedText();
                case "generation" -> generation = in.number();
                case "resourceSliceCount" -> sliceCount = in.number();
                default -> in.skip();
            }
        }
    }

    @Override
    public ResourceSlice build(Metadata metadata) {
        return new ResourceSlice(
                metadata.name,
                driver,
                new ResourceSlice.Pool(poolName, generation, sliceCount),
                new Reach(nodeName, allNodes, nodeSelector),
                isPerDevice,
                devices,
                sharedCounters);
    }
}
