package io.berth.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    /// Longer than a piece, with characters of one to four bytes on its edges.
    @Test
    void longLineIsTheSameTextInBytes() {
        var items = new ArrayList<Value>();
        for (int i = 0; i < 5_000; i++) {
            var item =
                    new FieldsBuilder().put("number", i).put("text", "a\u00fc\u20ac\ud83d\ude80<");
            items.add(item.build());
        }
        items.add(Value.of("\ud83d\ude80".repeat(20_000)));
        Value value = new FieldsBuilder().put("items", Value.of(items)).build();
        assertThat(JsonWriter.line(value))
                .isEqualTo((JsonWriter.write(value) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shortLineIsOne() {
        assertThat(JsonWriter.line(Value.of("x"))).asString().isEqualTo("\"x\"\n");
    }
}
