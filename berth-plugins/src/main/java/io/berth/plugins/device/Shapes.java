package io.berth.plugins.device;

import io.berth.api.device.DeviceClaim;
import io.berth.api.model.ResourceClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The answers for the shapes of claims that pods ask for most recently.
///
/// Owned by the engine thread.
public final class Shapes {
    private static final int MAX_SHAPES = 128;

    private final DeviceBook book;
    private final Allocator allocator;
    private final Map<List<DeviceClaim>, KeptAnswers> answers =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<List<DeviceClaim>, KeptAnswers> eldest) {
                    return size() > MAX_SHAPES;
                }
            };

    public Shapes(DeviceBook book, Allocator allocator) {
        this.book = book;
        this.allocator = allocator;
    }

    /// @param claims in their order, which decides who comes first
    public KeptAnswers of(List<ResourceClaim> claims) {
        var shape = claims.stream().map(ResourceClaim::spec).toList();
        return answers.computeIfAbsent(shape, _ -> new KeptAnswers(book, allocator));
    }
}
