package io.berth.plugins.imagelocality;

import io.berth.api.column.NodeColumns;
import io.berth.api.plugin.NodeLocalScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.List;

/// Prefers nodes that have the pod's images already. An image that is on few nodes counts for less,
/// so that its pods do not all crowd on those few.
public final class ImageLocality implements NodeLocalScore {
    public static final String NAME = "ImageLocality";

    private static final long MIB = 1024 * 1024;

    /// Below this sum, pulling is quick enough not to matter.
    private static final long MIN_BYTES = 23 * MIB;

    private static final long MAX_BYTES_PER_CONTAINER = 1000 * MIB;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SlotScore scorer(PodSpec spec, NodeColumns columns) {
        var images = imagesOf(spec).toArray(String[]::new);
        long containers = (long) spec.initContainers().size() + spec.containers().size();
        return images.length == 0
                ? slot -> 0
                : slot -> scoreOf(presentBytes(images, columns, slot), containers);
    }

    @Override
    public boolean readsNodeCount() {
        return true;
    }

    private static List<String> imagesOf(PodSpec spec) {
        var images = new ArrayList<String>();
        for (var container : spec.initContainers()) {
            images.add(normalized(container.image()));
        }
        for (var container : spec.containers()) {
            images.add(normalized(container.image()));
        }
        for (var volume : spec.volumes()) {
            if (volume.source() instanceof Volume.Image(var reference)) {
                images.add(normalized(reference));
            }
        }
        return images;
    }

    /// The name as nodes report it: with a tag.
    static String normalized(String image) {
        return image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
    }

    private static long presentBytes(String[] images, NodeColumns columns, int slot) {
        var onNode = columns.node(slot).images();
        if (onNode.isEmpty()) {
            return 0;
        }
        double nodeCount = columns.nodeCount();
        long sum = 0;
        for (var image : images) {
            var state = onNode.get(image);
            if (state != null) {
                sum += (long) (state.sizeBytes() * (state.nodeCount() / nodeCount));
            }
        }
        return sum;
    }

    private static long scoreOf(long bytes, long containers) {
        long max = MAX_BYTES_PER_CONTAINER * containers;
        long clamped = bytes < MIN_BYTES ? MIN_BYTES : Math.min(bytes, max);
        return Score.MAX * (clamped - MIN_BYTES) / (max - MIN_BYTES);
    }
}
