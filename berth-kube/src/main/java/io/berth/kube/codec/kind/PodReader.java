package io.berth.kube.codec.kind;

import io.berth.api.model.Pod;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;

/// Reads pods.
final class PodReader implements KindReader {
    private final PodSpecReader spec = new PodSpecReader();
    private final PodStatusReader status = new PodStatusReader();

    @Override
    public void clear() {
        spec.clear();
        status.clear();
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" -> spec.read(in);
            case "status" -> status.read(in);
            default -> in.skip();
        }
    }

    @Override
    public Pod build(Metadata metadata) {
        var read = spec.spec();
        return new Pod(
                metadata.namespace,
                metadata.name,
                metadata.uid,
                metadata.resourceVersion,
                metadata.generation,
                metadata.labels,
                read,
                metadata.controller,
                spec.nodeName(),
                status.phase(),
                status.nominatedNodeName(),
                status.conditions(),
                metadata.createdAt,
                status.startedAt(),
                metadata.deletedAt,
                status.resize(read),
                status.generatedClaims());
    }
}
