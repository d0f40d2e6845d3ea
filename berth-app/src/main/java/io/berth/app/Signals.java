package io.berth.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import jdk.jfr.FlightRecorder;

/// Reacts to signals of the operating system.
///
/// The JDK's supported way, a shutdown hook, always ends with code 128 + signal. `sun.misc.Signal`
/// lets the process end with a code of its own; it is reached by reflection because the compiler
/// warns of that class in a way that cannot be silenced at one place.
public final class Signals {
    private Signals() {}

    /// Whether SIGUSR2 comes from Flight Recorder rather than from an operator: the JVM stops
    /// threads with it for each sample, unless the environment names another signal. The launchers
    /// do, so this is for whoever starts Java by hand.
    static boolean isUsr2OfTheRecorder() {
        return FlightRecorder.isInitialized() && System.getenv("_JAVA_SR_SIGNUM") == null;
    }

    /// Calls `action` on each signal of that name (`TERM`, `INT`, `WINCH` …). Returns false where
    /// the platform does not have the signal or keeps it for itself.
    public static boolean on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            Signals.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) ->
                                    switch (method.getName()) {
                                        case "equals" -> false;
                                        case "hashCode" -> System.identityHashCode(self);
                                        case "toString" -> "handler of SIG" + name;
                                        default -> {
                                            action.run();
                                            yield null;
                                        }
                                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            return true;
        } catch (InvocationTargetException unknownSignal) {
            return false;
        } catch (ReflectiveOperationException unsupported) {
            throw new IllegalStateException("This Java has no signal handlers", unsupported);
        }
    }
}
