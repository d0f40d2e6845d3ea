package io.berth.config.text;

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
}
