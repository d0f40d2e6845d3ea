package io.berth.sim;

import io.berth.sim.time.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/// The story of a run, line by line: what happened in the cluster and what the scheduler decided.
/// Keeps the last lines and a checksum over all of them.
public final class Chronicle {
    private static final int KEPT = 4000;

    private final VirtualTime time;
    private final Consumer<String> also;
    private final Deque<String> last = new ArrayDeque<>();
    private final CRC32C checksum = new CRC32C();
    private long lineCount;

    /// @param also hears every line
    public Chronicle(VirtualTime time, Consumer<String> also) {
        this.time = time;
        this.also = also;
    }

    public void tell(String line) {
        var millis = time.elapsedMillis();
        var stamped =
                millis / 1000 + "." + Long.toString(1000 + millis % 1000).substring(1) + " " + line;
        lineCount++;
        checksum.update(stamped.getBytes(StandardCharsets.UTF_8));
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(stamped);
        also.accept(stamped);
    }

    public List<String> last(int count) {
        var all = new ArrayList<>(last);
        return all.subList(Math.max(0, all.size() - count), all.size());
    }

    public long lineCount() {
        return lineCount;
    }

    /// Equal for equal runs.
    public String checksum() {
        return Long.toHexString(checksum.getValue());
    }
}
