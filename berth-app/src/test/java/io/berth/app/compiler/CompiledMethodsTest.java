package io.berth.app.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompiledMethodsTest {
    /// As JDK 25 prints it.
    private static final String LIST =
            """
            12 4 0 java.lang.String.hashCode()I [0x00007f0e5c4b1b08, 0x00007f0e5c4b1ca0 - 0x00007f0e5c4b1d40]
            13 1 0 java.lang.String.length()I [0x00007f0e5c4b1e08, 0x00007f0e5c4b1fa0 - 0x00007f0e5c4b2040]
            14 1 1 java.lang.String.isEmpty()Z [0x00007f0e5c4b2108, 0x00007f0e5c4b22a0 - 0x00007f0e5c4b2340]
            15 1 0 java.lang.String.<init>([BIILjava/nio/charset/Charset;)V [0x00007f0e5c4b2408, 0x00007f0e5c4b25a0 - 0x00007f0e5c4b2640]
            16 1 0 java.util.Map$Entry.getKey()Ljava/lang/Object; [0x00007f0e5c4b2708, 0x00007f0e5c4b28a0 - 0x00007f0e5c4b2940]
            """;

    @Test
    void methodsOfALevelThatAreInUseAreReadByClass() {
        var found = CompiledMethods.byClass(LIST, CompiledMethods.SIMPLE);
        assertThat(found).containsOnlyKeys("java.lang.String", "java.util.Map$Entry");
        assertThat(found.get("java.lang.String"))
                .containsExactly("length()I", "<init>([BIILjava/nio/charset/Charset;)V");
        assertThat(found.get("java.util.Map$Entry")).containsExactly("getKey()Ljava/lang/Object;");
    }

    @Test
    void methodsOfThisProcessAreFound() {
        // The JDK's small ones are compiled before a test begins.
        assertThat(CompiledMethods.of(CompiledMethods.SIMPLE))
                .anySatisfy(method ->
                        assertThat(method.getDeclaringClass().getName()).startsWith("java."));
    }
}
