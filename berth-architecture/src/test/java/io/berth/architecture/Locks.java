package io.berth.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Finds locks in compiled classes: monitors, `java.util.concurrent.locks` and semaphores.
final class Locks {
    private Locks() {}

    /// The outermost classes below a folder that take locks.
    static Stream<String> takers(Path classes) {
        try (var files = Files.walk(classes)) {
            return files
                    .filter(file -> file.toString().endsWith(".class"))
                    .map(Locks::parse)
                    .filter(Locks::takesLocks)
                    .map(model -> model.thisClass().asInternalName())
                    .map(name -> name.replaceFirst("\\$.*", "").replace('/', '.'))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean takesLocks(ClassModel model) {
        return model.methods().stream().anyMatch(Locks::takesLocks);
    }

    private static boolean takesLocks(MethodModel method) {
        return method.flags().has(AccessFlag.SYNCHRONIZED)
                || method.code().stream()
                        .flatMap(code -> code.elementStream())
                        .anyMatch(Locks::takesLock);
    }

    private static boolean takesLock(CodeElement element) {
        return switch (element) {
            case MonitorInstruction _ -> true;
            case InvokeInstruction call -> isLock(call.owner().asInternalName());
            default -> false;
        };
    }

    /// `LockSupport` parks threads and locks nothing.
    private static boolean isLock(String owner) {
        return owner.startsWith("java/util/concurrent/locks/") && !owner.endsWith("/LockSupport")
                || owner.equals("java/util/concurrent/Semaphore");
    }
}
