package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Who may make a thread wait. The engine thread once waited for a lock whose holder waited for
/// room in the engine's mailbox; so nothing here takes a lock, and the few that may wait are named.
final class LocksTest {
    /// What a thread waits in, other than for a monitor.
    private static final Set<String> WAITS =
            Set.of(
                    "java/util/concurrent/Semaphore",
                    "java/util/concurrent/CountDownLatch",
                    "java/util/concurrent/CyclicBarrier",
                    "java/util/concurrent/Phaser",
                    "java/util/concurrent/ArrayBlockingQueue",
                    "java/util/concurrent/LinkedBlockingQueue",
                    "java/util/concurrent/LinkedBlockingDeque",
                    "java/util/concurrent/BlockingQueue",
                    "java/util/concurrent/CompletableFuture#get",
                    "java/util/concurrent/CompletableFuture#join",
                    "java/util/concurrent/Future#get",
                    "java/lang/Thread#sleep",
                    "java/lang/Thread#join");

    /// Why each of them may.
    private static final Map<String, String> MAY_WAIT =
            Map.of(
                    "io/berth/engine/intake/Mailbox",
                    "posters of news wait for room, the engine thread for messages; no lock is held",
                    "io/berth/engine/EngineThread",
                    "those who close it wait, each time with a limit",
                    "io/berth/engine/EngineWatchdog",
                    "its own thread sleeps between two looks");

    @Test
    void onlyTheNamedOnesMakeAThreadWait() throws IOException, URISyntaxException {
        var waiting = new TreeSet<String>();
        var classes =
                Path.of(Engine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (var files = Files.walk(classes)) {
            for (var file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                var model = ClassFile.of().parse(file);
                if (mayWait(model)) {
                    waiting.add(outermost(model));
                }
            }
        }
        assertThat(waiting).isEqualTo(new TreeSet<>(MAY_WAIT.keySet()));
    }

    private static String outermost(ClassModel model) {
        return model.thisClass().asInternalName().replaceFirst("\\$.*", "");
    }

    private static boolean mayWait(ClassModel model) {
        return model.methods().stream().anyMatch(LocksTest::mayWait);
    }

    private static boolean mayWait(MethodModel method) {
        return method.flags().has(AccessFlag.SYNCHRONIZED)
                || method.code().stream()
                        .flatMap(code -> code.elementStream())
                        .anyMatch(element ->
                                switch (element) {
                                    case MonitorInstruction _ -> true;
                                    case InvokeInstruction call -> waits(call);
                                    default -> false;
                                });
    }

    private static boolean waits(InvokeInstruction call) {
        var owner = call.owner().asInternalName();
        return owner.startsWith("java/util/concurrent/locks/")
                || WAITS.contains(owner)
                || WAITS.contains(owner + "#" + call.name().stringValue())
                || owner.equals("java/lang/Object") && call.name().equalsString("wait");
    }
}
