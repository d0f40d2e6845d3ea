package io.berth.engine.journal;

import io.berth.api.handle.Extender;
import io.berth.engine.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps the last entries in memory; older ones make room. Owned by the engine thread: others ask
/// the engine for a copy.
public final class RingJournal implements Journal {
    private final int most;
    private final Deque<Entry> last = new ArrayDeque<>();

    /// Extenders may be asked on several threads at once; the engine thread waits for them and
    /// takes their answers along.
    private final Queue<Entry> extended = new ConcurrentLinkedQueue<>();

    private Entry.@Nullable Begin begin;
    private long lostCount;

    /// @param most how many entries are kept
    public RingJournal(int most) {
        this.most = most;
    }

    private void add(Entry entry) {
        for (var answer = extended.poll(); answer != null; answer = extended.poll()) {
            keep(answer);
        }
        keep(entry);
    }

    private void keep(Entry entry) {
        if (last.size() == most) {
            last.removeFirst();
            lostCount++;
        }
        last.addLast(entry);
    }

    /// What there is, from how the engine began on, which is always kept.
    @Override
    public List<Entry> entries() {
        var entries = new ArrayList<Entry>(last.size() + 1);
        if (begin != null) {
            entries.add(begin);
        }
        entries.addAll(last);
        return entries;
    }

    /// How many entries had to make room.
    public long lostCount() {
        return lostCount;
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void begin(long seed, long nowMillis, boolean isTimed) {
        begin = new Entry.Begin(seed, nowMillis, isTimed);
    }

    @Override
    public void told(Message message) {
        add(new Entry.Told(message));
    }

    @Override
    public long answer(LongSupplier look) {
        long value = look.getAsLong();
        add(new Entry.Answer(value));
        return value;
    }

    @Override
    public Extender seen(Extender extender) {
        return new SeenExtender(
                extender, answer -> extended.add(new Entry.Extended(extender.name(), answer)));
    }

    @Override
    public void decided(Decision decision) {
        add(new Entry.Decided(decision));
    }

    @Override
    public void step(int taken, long nowMillis, long wallMillis) {
        add(new Entry.Step(taken, nowMillis, wallMillis));
    }
}
