package io.berth.app.compiler;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/// The JVM's own diagnostic commands, as `jcmd` knows them, asked from within.
final class Diagnostics {
    private Diagnostics() {}

    /// Takes back all compiler directives.
    static void clearDirectives() {
        var _ = ask("compilerDirectivesClear");
    }

    /// One line for each piece of compiled code.
    static String compiledCode() {
        return ask("compilerCodelist");
    }

    private static String ask(String command) {
        try {
            var answer =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    command,
                                    new Object[0],
                                    new String[0]);
            return String.valueOf(answer);
        } catch (JMException unknown) {
            throw new IllegalStateException(
                    "the JVM does not know the command " + command, unknown);
        }
    }
}
