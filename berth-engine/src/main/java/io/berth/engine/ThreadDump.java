package io.berth.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.jspecify.annotations.Nullable;

/// Where a thread stands, and where the one stands that holds what it waits for.
final class ThreadDump {
    private static final int MOST_HOLDERS = 10;

    private ThreadDump() {}

    static String of(Thread thread) {
        var text = new StringBuilder();
        @Nullable ThreadInfo info = find(thread.threadId());
        for (int i = 0; info != null && i < MOST_HOLDERS; i++) {
            append(text, info);
            info = info.getLockOwnerId() < 0 ? null : find(info.getLockOwnerId());
        }
        return text.isEmpty() ? "thread " + thread.getName() + " has ended" : text.toString();
    }

    private static @Nullable ThreadInfo find(long id) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {id}, true, true)[0];
    }

    private static void append(StringBuilder text, ThreadInfo info) {
        text.append(text.isEmpty() ? "" : "\n")
                .append('"')
                .append(info.getThreadName())
                .append("\" ")
                .append(info.getThreadState());
        if (info.getLockName() != null) {
            text.append(" on ").append(info.getLockName());
        }
        if (info.getLockOwnerName() != null) {
            text.append(" held by \"").append(info.getLockOwnerName()).append('"');
        }
        for (var frame : info.getStackTrace()) {
            text.append("\n    at ").append(frame);
        }
    }
}
