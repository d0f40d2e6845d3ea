package io.berth.app.explain;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;

/// Threads that take what others leave of the processor, and so do those that they start.
///
/// The system's priorities are what decides between an explanation and a binding when every core is
/// busy; Java has no word for them that works without a privilege, so the system is asked itself.
/// Where it cannot be asked (another system than Linux, or a JVM that was not started from the
/// package) they are threads like any other.
final class BackSeat {
    /// Of 0 to 19: a third of what an ordinary thread gets where both want all of a core. With a
    /// tenth, one answer of a hundred took two thirds of a second beside a busy scheduler; with as
    /// much as all others, the scheduler lost more pods a second (docs/benchmarks.md).
    static final int NICE = 5;

    private static final int WHICH_THREAD = 0;
    private static final int CALLER = 0;

    private BackSeat() {}

    static ThreadFactory factory(String name) {
        var threads = Thread.ofPlatform().name(name).daemon(true);
        return task ->
                threads.unstarted(() -> {
                    take();
                    task.run();
                });
    }

    /// Moves the calling thread there.
    ///
    /// @return whether that was possible
    static boolean take() {
        boolean mayAsk = BackSeat.class.getModule().isNativeAccessEnabled();
        if (!mayAsk || !System.getProperty("os.name", "").equals("Linux")) {
            return false;
        }
        try {
            return (int) setPriority().invokeExact(WHICH_THREAD, CALLER, NICE) == 0;
        } catch (Throwable unheardOf) {
            return false;
        }
    }

    /// `int setpriority(int which, id_t who, int priority)`: with `PRIO_PROCESS` and nobody named,
    /// Linux means the calling thread.
    @SuppressWarnings("restricted")
    private static MethodHandle setPriority() {
        var linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().findOrThrow("setpriority");
        return linker.downcallHandle(
                function,
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT));
    }
}
