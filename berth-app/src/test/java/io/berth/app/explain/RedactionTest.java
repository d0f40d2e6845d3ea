package io.berth.app.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is hidden is hidden wherever it is named.
class RedactionTest {
    private static final Mentions MENTIONS =
            new Mentions(
                    Set.of("metal-7"),
                    Map.of("secret/job", "secret", "shop/web", "shop", "lab/x", "lab"));

    private static Value answer() {
        return new FieldsBuilder()
                .put("sentence", "secret/job and shop/web are on metal-7.")
                .put("pods", Value.of(List.of(Value.of("secret/job"), Value.of("lab/x"))))
                .put(
                        "fixes",
                        Value.of(
                                List.of(
                                        new FieldsBuilder()
                                                .put("sentence", "delete secret/job")
                                                .build(),
                                        new FieldsBuilder()
                                                .put("sentence", "ask for less")
                                                .build())))
                .build();
    }

    @Test
    void podsOfHiddenNamespacesAreNotNamed() {
        var redaction = new Redaction(MENTIONS, false, "secret"::equals, 0);
        assertThat(JsonWriter.write(redaction.of(answer())))
                .doesNotContain("secret")
                .contains("a-pod and shop/web are on metal-7.", "lab/x", "ask for less")
                .contains("1 pod of other namespaces", "1 fix that names");
    }

    @Test
    void nodesAreNotNamed() {
        var redaction = new Redaction(MENTIONS, true, _ -> false, 0);
        assertThat(JsonWriter.write(redaction.of(answer())))
                .doesNotContain("metal-7")
                .contains("secret/job and shop/web are on a-node.", "names of nodes");
    }

    @Test
    void rightsThatWereNotFoundOutAreTold() {
        var redaction = new Redaction(MENTIONS, false, name -> !name.equals("shop"), 1);
        assertThat(JsonWriter.write(redaction.of(answer())))
                .doesNotContain("secret/", "lab/")
                .contains("pods of 1 namespace, since it was not found out in time");
    }

    @Test
    void whereNothingIsHiddenNothingIsSaid() {
        var redaction = new Redaction(MENTIONS, false, _ -> false, 0);
        assertThat(redaction.of(answer())).isEqualTo(answer());
        assertThat(Redaction.none().of(answer())).isEqualTo(answer());
    }
}
