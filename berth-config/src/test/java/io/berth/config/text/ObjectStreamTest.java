package io.berth.config.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectStreamTest {
    private static List<String> objects(String text) throws TextException, IOException {
        var objects = new ArrayList<String>();
        ObjectStream.read(
                new ByteArrayInputStream(text.getBytes(UTF_8)),
                (json, listKind) ->
                        objects.add(
                                new String(json, UTF_8)
                                        + (listKind.isEmpty() ? "" : " of " + listKind)));
        return objects;
    }

    @Test
    void yamlAndJsonGiveTheSameObjects() throws Exception {
        var expected =
                List.of(
                        "{\"kind\":\"A\",\"n\":1,\"t\":\"1\",\"b\":true,\"z\":null,\"l\":[1.5,\"x\"]}");
        assertThat(
                        objects(
                                "{\"kind\":\"A\",\"n\":1,\"t\":\"1\",\"b\":true,\"z\":null,\"l\":[1.5,\"x\"]}"))
                .isEqualTo(expected);
        assertThat(objects("kind: A\nn: 1\nt: \"1\"\nb: true\nz:\nl:\n- 1.5\n- x\n"))
                .isEqualTo(expected);
    }

    @Test
    void documentsAndListsAreTakenApart() throws Exception {
        assertThat(objects("kind: A\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n---\n"))
                .containsExactly(
                        "{\"kind\":\"A\"}", "{\"kind\":\"B\"} of List", "{\"kind\":\"C\"} of List");
        assertThat(
                        objects(
                                "{\"kind\":\"A\"}{\"items\":[{\"kind\":\"List\",\"items\":[{\"a\":2}]}]}"))
                .containsExactly("{\"kind\":\"A\"}", "{\"a\":2} of List");
        assertThat(objects("{\"kind\":\"PodList\",\"items\":[{\"a\":2}]}"))
                .containsExactly("{\"a\":2} of PodList");
    }

    @Test
    void nothingIsNoObject() throws Exception {
        assertThat(objects("")).isEmpty();
        assertThat(objects("---\n---\n# nothing\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\n[1,}",
                "{\"items\":\n[1]}",
                "a: 1\nb: *c\n",
                "a:\n- b: c: d\n",
                "items:\n- text\n",
                "{\"a\": 1}\n[1]"
            })
    void whatIsBrokenIsToldWithItsLine(String text) {
        assertThatThrownBy(() -> objects(text))
                .isInstanceOf(TextException.class)
                .extracting(broken -> ((TextException) broken).sentence())
                .asString()
                .startsWith("line 2: ");
    }

    @Test
    void markBeforeUtf8IsPassedOver() throws Exception {
        assertThat(objects("\uFEFF{\"kind\":\"A\"}")).containsExactly("{\"kind\":\"A\"}");
        assertThat(objects("\uFEFFkind: A\n")).containsExactly("{\"kind\":\"A\"}");
        assertThat(objects("a: äöü€\n")).containsExactly("{\"a\":\"äöü€\"}");
        assertThat(objects("a: \uD83D\uDE00\n")).hasSize(1);
    }

    private static void isRefused(byte[] content, String sentence) {
        assertThatThrownBy(() -> ObjectStream.read(new ByteArrayInputStream(content), (_, _) -> {}))
                .isInstanceOf(TextException.class)
                .message()
                .contains(sentence)
                .hasLineCount(1)
                .doesNotContain("Exception", "Constraints");
    }

    @Test
    void whatIsNoTextIsToldByWhatItIs() {
        isRefused(new byte[] {0x1f, (byte) 0x8b, 8, 0}, "compressed with gzip");
        isRefused("kind: A".getBytes(UTF_16), "UTF-16");
        isRefused("{\"kind\": \"A\"}".getBytes(UTF_16LE), "zero byte");
        isRefused(new byte[5000], "line 1: a zero byte");
        isRefused("kind: A\nb: \0".getBytes(UTF_8), "line 2: a zero byte");
        isRefused("{\"kind\":\n\n\"\0\"}".getBytes(UTF_8), "line 3: a zero byte");
        isRefused("kind: A\nb: caf\u00e9\n".getBytes(ISO_8859_1), "line 2: not UTF-8");
        isRefused("kind: A\nb: \u00ff\n".getBytes(ISO_8859_1), "line 2: not UTF-8");
        isRefused("{\"kind\": \"caf\u00e9\"}".getBytes(ISO_8859_1), "line 1: not UTF-8");
    }

    @Test
    void whatNoReaderCanBearIsRefused() {
        var long3M = "y".repeat(3 << 20);
        isRefused(long3M.getBytes(UTF_8), "line 1: longer than 2 MiB");
        isRefused(("a: b\nc: \"" + long3M + "\"").getBytes(UTF_8), "line 2: longer than 2 MiB");
        isRefused(
                ("{\"a\": \"" + long3M.repeat(3) + "\"}").getBytes(UTF_8),
                "exceeds the maximum allowed (8388608)");
        isRefused("{\"items\":[".repeat(50_000).getBytes(UTF_8), "nesting depth");
        isRefused(("a: " + "{a: ".repeat(50_000)).getBytes(UTF_8), "nesting depth");
        isRefused(("--- " + "{items: [".repeat(50_000)).getBytes(UTF_8), "nested deeper");
    }

    @Test
    void largeListInOneLineIsRead() throws Exception {
        var item = "{\"kind\":\"A\",\"text\":\"" + "y".repeat(1000) + "\"},";
        var list = "{\"items\":[" + item.repeat(5000) + "{\"kind\":\"B\"}]}";
        assertThat(objects(list)).hasSize(5001);
    }

    @Test
    void listTellsItsKindAtItsEnd() throws Exception {
        var kinds = new ArrayList<String>();
        var sink =
                new ObjectStream.Sink() {
                    @Override
                    public void object(byte[] json, String listKind) {}

                    @Override
                    public void listEnd(String kind) {
                        kinds.add(kind);
                    }
                };
        for (var text :
                List.of(
                        "items:\n- kind: A\nkind: PodList\n",
                        "items:\n- kind: A\n  name: cut o",
                        "{\"items\": [], \"kind\": \"NodeList\"}")) {
            ObjectStream.read(new ByteArrayInputStream(text.getBytes(UTF_8)), sink);
        }
        assertThat(kinds).containsExactly("PodList", "", "NodeList");
    }
}
