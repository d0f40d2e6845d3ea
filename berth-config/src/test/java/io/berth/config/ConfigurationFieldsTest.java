package io.berth.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.schema.Type;
import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.Scalar;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Items;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whoever adds a field to the table of types is reminded to read and to write it.
class ConfigurationFieldsTest {
    /// What the file is, and lists that are merged with others: they have tests of their own.
    private static final Set<String> OTHERS =
            Set.of("apiVersion", "kind", "profiles.plugins", "profiles.pluginConfig");

    private static final Fields DEFAULTS = written(Fields.EMPTY);

    record Leaf(List<String> path, Type type) {
        @Override
        public String toString() {
            return String.join(".", path);
        }
    }

    static Stream<Leaf> leaves() {
        return leaves(List.of(), ConfigurationTypes.V1);
    }

    private static Stream<Leaf> leaves(List<String> path, Type type) {
        if (OTHERS.contains(String.join(".", path))) {
            return Stream.empty();
        }
        return switch (type) {
            case Struct struct ->
                    struct.fields().entrySet().stream()
                            .flatMap(field ->
                                    leaves(joined(path, field.getKey()), field.getValue()));
            case ListOf list -> leaves(path, list.element());
            default -> Stream.of(new Leaf(path, type));
        };
    }

    private static List<String> joined(List<String> path, String name) {
        return Stream.concat(path.stream(), Stream.of(name)).toList();
    }

    @ParameterizedTest
    @MethodSource("leaves")
    void everyFieldIsReadAndWritten(Leaf leaf) {
        assertThat(samples(leaf.type))
                .anySatisfy(sample -> {
                    var written = written(holding(leaf.path, ConfigurationTypes.V1, sample));
                    assertThat(at(leaf.path, written)).isEqualTo(sample);
                    assertThat(at(leaf.path, DEFAULTS)).isNotEqualTo(sample);
                });
    }

    /// What is written could be read again: nothing is without its line in the types.
    @Test
    void everyFieldThatIsWrittenHasAType() {
        var types = leaves().map(Leaf::toString).collect(Collectors.toSet());
        assertThat(written(List.of(), DEFAULTS))
                .hasSizeGreaterThan(20)
                .allSatisfy(path ->
                        assertThat(path)
                                .satisfiesAnyOf(
                                        leaf -> assertThat(types).contains(leaf),
                                        other ->
                                                assertThat(OTHERS)
                                                        .anyMatch(name ->
                                                                (other + ".")
                                                                        .startsWith(name + "."))));
    }

    /// The paths of all values, without the places in lists.
    private static Stream<String> written(List<String> path, Value value) {
        return switch (value) {
            case Fields fields ->
                    fields.entries().entrySet().stream()
                            .flatMap(field ->
                                    written(joined(path, field.getKey()), field.getValue()));
            case Items items -> items.items().stream().flatMap(item -> written(path, item));
            default -> Stream.of(String.join(".", path));
        };
    }

    private static List<Value> samples(Type type) {
        return switch (((Scalar) type).kind()) {
            case STRING -> List.of(Value.of("x"));
            case BOOL -> List.of(Value.of(true), Value.of(false));
            case INT32, INT64, FLOAT32 -> List.of(Value.of(7));
            case DURATION -> List.of(Value.of("7s"));
            case BYTES -> List.of(Value.of("aGk="));
        };
    }

    private static Fields holding(List<String> path, Struct type, Value leaf) {
        var name = path.getFirst();
        var rest = path.subList(1, path.size());
        return Value.of(name, held(rest, type.fields().get(name), leaf));
    }

    private static Value held(List<String> rest, @Nullable Type type, Value leaf) {
        return switch (type) {
            case ListOf list -> Value.of(List.of(held(rest, list.element(), leaf)));
            case Struct struct -> holding(rest, struct, leaf);
            case null, default -> leaf;
        };
    }

    private static Fields written(Fields file) {
        return SchedulerConfiguration.of(file, SchedulerConfiguration.V1, FeatureGates.DEFAULT)
                .fields();
    }

    private static @Nullable Value at(List<String> path, @Nullable Value value) {
        if (value instanceof Items items) {
            return at(path, items.items().getFirst());
        }
        return path.isEmpty() || !(value instanceof Fields fields)
                ? value
                : at(path.subList(1, path.size()), fields.find(path.getFirst()));
    }
}
