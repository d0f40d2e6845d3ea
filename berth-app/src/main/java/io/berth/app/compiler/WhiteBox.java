package io.berth.app.compiler;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.security.ProtectionDomain;
import java.util.List;

/// The door that HotSpot's own tests use to its compilers, where the JVM was started with it
/// (`-XX:+WhiteBoxAPI`).
///
/// Its other side is a class of a given name, without a loader, whose native methods the JVM
/// provides. The JDK does not ship that class, so it is made here, with the few methods that are
/// wanted. Of those that it lacks the JVM would complain, two hundred times, which is why the
/// package begins with `-XX:-DisplayVMOutput`.
final class WhiteBox {
    private static final String NAME = "jdk.test.whitebox.WhiteBox";
    private static final String REGISTER = "registerNatives";
    private static final String OUTPUT = "DisplayVMOutput";
    private static final int NATIVE = ClassFile.ACC_PUBLIC | ClassFile.ACC_NATIVE;

    /// A native method: what it returns and takes.
    private record Native(String name, Class<?> result, List<Class<?>> takes) {
        static Native of(String name, Class<?> result, Class<?>... takes) {
            return new Native(name, result, List.of(takes));
        }

        MethodType type() {
            return MethodType.methodType(result, takes);
        }
    }

    private static final Native SET_FLAG =
            Native.of("setBooleanVMFlag", void.class, String.class, boolean.class);
    private static final Native CLEAR_STATE =
            Native.of("clearMethodState0", void.class, Executable.class);
    private static final Native DEOPTIMIZE =
            Native.of("deoptimizeMethod0", int.class, Executable.class, boolean.class);

    private final MethodHandle setFlag;
    private final MethodHandle clearState;
    private final MethodHandle deoptimize;

    private WhiteBox(Class<?> box) throws ReflectiveOperationException {
        Object instance = box.getConstructor().newInstance();
        setFlag = bound(box, instance, SET_FLAG);
        clearState = bound(box, instance, CLEAR_STATE);
        deoptimize = bound(box, instance, DEOPTIMIZE);
    }

    private static MethodHandle bound(Class<?> box, Object instance, Native method)
            throws ReflectiveOperationException {
        return MethodHandles.publicLookup()
                .findVirtual(box, method.name, method.type())
                .bindTo(instance);
    }

    /// How the door was found.
    sealed interface Door {}

    record Open(WhiteBox box) implements Door {}

    /// The JVM has none, or keeps it shut.
    record Shut(Throwable why) implements Door {}

    /// Opens the door, once in a process, and lets the JVM speak again.
    static Door open() {
        try {
            Class<?> box = define();
            MethodHandles.publicLookup()
                    .findStatic(box, REGISTER, MethodType.methodType(void.class))
                    .invoke();
            var opened = new WhiteBox(box);
            // Registration says nothing of its failure; the first call does.
            opened.setFlag(OUTPUT, true);
            return new Open(opened);
        } catch (Throwable shut) {
            return new Shut(shut);
        }
    }

    /// Makes the class and gives it to the loader that is none. The manifest opens the one package
    /// by which that can be done.
    private static Class<?> define() throws ReflectiveOperationException {
        byte[] bytes = ClassFile.of().build(ClassDesc.of(NAME), WhiteBox::describe);
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        Object instance = unsafe.getMethod("getUnsafe").invoke(null);
        return (Class<?>)
                unsafe.getMethod(
                                "defineClass",
                                String.class,
                                byte[].class,
                                int.class,
                                int.class,
                                ClassLoader.class,
                                ProtectionDomain.class)
                        .invoke(
                                instance,
                                NAME.replace('.', '/'),
                                bytes,
                                0,
                                bytes.length,
                                null,
                                null);
    }

    private static void describe(ClassBuilder box) {
        box.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL);
        box.withMethodBody(
                INIT_NAME,
                MTD_void,
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_());
        box.withMethod(REGISTER, MTD_void, NATIVE | ClassFile.ACC_STATIC, _ -> {});
        for (var method : List.of(SET_FLAG, CLEAR_STATE, DEOPTIMIZE)) {
            box.withMethod(
                    method.name, method.type().describeConstable().orElseThrow(), NATIVE, _ -> {});
        }
    }

    /// Sets one of the JVM's options; one that it does not know is left alone.
    void setFlag(String name, boolean value) {
        call(() -> setFlag.invoke(name, value));
    }

    /// Has a method forget what its compilers may not do, and its compiled form with it: it begins
    /// anew, as one that was just loaded.
    void restart(Executable method) {
        call(() -> {
            clearState.invoke(method);
            return deoptimize.invoke(method, false);
        });
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static void call(Call call) {
        try {
            var _ = call.make();
        } catch (RuntimeException | Error broken) {
            throw broken;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
