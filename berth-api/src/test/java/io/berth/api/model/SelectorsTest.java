package io.berth.api.model;

import static io.berth.api.label.Requirement.Operator.DOES_NOT_EXIST;
import static io.berth.api.label.Requirement.Operator.EXISTS;
import static io.berth.api.label.Requirement.Operator.GT;
import static io.berth.api.label.Requirement.Operator.IN;
import static io.berth.api.label.Requirement.Operator.LT;
import static io.berth.api.label.Requirement.Operator.NOT_IN;
import static io.berth.api.label.Requirement.Operator.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SelectorsTest {
    private static Requirement wants(String key, Operator operator, String... values) {
        return new Requirement(key, operator, List.of(values));
    }

    @Nested
    @Tag("H-7")
    final class OfLabels {
        private static final Labels LABELS = Labels.of("app", "web", "empty", "");

        static Stream<Arguments> cases() {
            return Stream.of(
                    Arguments.of(wants("app", IN, "web", "api"), true),
                    Arguments.of(wants("app", IN, "api"), false),
                    Arguments.of(wants("none", IN, ""), false),
                    Arguments.of(wants("empty", IN, ""), true),
                    Arguments.of(wants("app", NOT_IN, "web"), false),
                    Arguments.of(wants("app", NOT_IN, "api"), true),
                    Arguments.of(wants("none", NOT_IN, "web"), true),
                    Arguments.of(wants("empty", EXISTS), true),
                    Arguments.of(wants("none", EXISTS), false),
                    Arguments.of(wants("none", DOES_NOT_EXIST), true),
                    Arguments.of(wants("empty", DOES_NOT_EXIST), false));
        }

        @ParameterizedTest
        @MethodSource("cases")
        void oneRequirement(Requirement requirement, boolean matches) {
            assertThat(LabelSelector.of(List.of(requirement)).matches(LABELS)).isEqualTo(matches);
        }

        @Test
        void absentMatchesNothingAndEmptyEverything() {
            assertThat(LabelSelector.NOTHING.matches(LABELS)).isFalse();
            assertThat(LabelSelector.NOTHING.isEmpty()).isFalse();
            assertThat(LabelSelector.EVERYTHING.matches(Labels.EMPTY)).isTrue();
            assertThat(LabelSelector.of(List.of()).isEmpty()).isTrue();
        }

        @Test
        void allMustHold() {
            var both =
                    LabelSelector.of(Map.of("app", "web"), List.of(wants("none", DOES_NOT_EXIST)));
            assertThat(both.matches(LABELS)).isTrue();
            assertThat(both.matches(LABELS.with("none", "now"))).isFalse();
            assertThat(both.and(wants("empty", IN, "x")).matches(LABELS)).isFalse();
            assertThat(LabelSelector.NOTHING.and(wants("app", EXISTS)).matches(LABELS)).isFalse();
        }

        static Stream<Requirement> unsound() {
            return Stream.of(
                    wants("app", IN),
                    wants("none", NOT_IN),
                    wants("app", EXISTS, "web"),
                    wants("none", DOES_NOT_EXIST, "x"),
                    wants("app", GT, "1"),
                    wants("app", UNKNOWN),
                    wants("none", NOT_IN, "x", "two words"),
                    wants("no key", DOES_NOT_EXIST));
        }

        @ParameterizedTest
        @MethodSource("unsound")
        void unsoundOneMatchesNothingAndSaysWhy(Requirement requirement) {
            var selector = LabelSelector.of(List.of(requirement));
            assertThat(selector.problem()).isNotNull();
            assertThat(selector.matches(LABELS)).isFalse();
            assertThat(selector.matches(Labels.EMPTY)).isFalse();
        }
    }

    @Nested
    @Tag("H-8")
    final class OfNodes {
        private static final Node NODE =
                Node.builder("n1").labels(Labels.of("cores", "8", "disk", "ssd")).build();

        static Stream<Arguments> cases() {
            return Stream.of(
                    Arguments.of(wants("cores", GT, "7"), true),
                    Arguments.of(wants("cores", GT, "8"), false),
                    Arguments.of(wants("cores", LT, "9"), true),
                    Arguments.of(wants("cores", LT, "8"), false),
                    // No label can have such a value, so upstream does not understand it.
                    Arguments.of(wants("cores", GT, "-1"), false),
                    Arguments.of(wants("none", LT, "9"), false),
                    Arguments.of(wants("disk", GT, "1"), false),
                    Arguments.of(wants("disk", LT, "1"), false),
                    Arguments.of(wants("cores", GT, "many"), false),
                    Arguments.of(wants("cores", GT, "1", "2"), false),
                    Arguments.of(wants("cores", GT), false),
                    Arguments.of(wants("cores", GT, "99999999999999999999"), false),
                    Arguments.of(wants("disk", IN, "ssd"), true),
                    Arguments.of(wants("none", NOT_IN, "x"), true),
                    Arguments.of(wants("disk", IN), false),
                    Arguments.of(wants("disk", UNKNOWN, "ssd"), false));
        }

        @ParameterizedTest
        @MethodSource("cases")
        void oneExpression(Requirement requirement, boolean matches) {
            var term = new NodeSelector.Term(List.of(requirement), List.of());
            assertThat(term.matches(NODE)).isEqualTo(matches);
        }

        static Stream<Arguments> fields() {
            return Stream.of(
                    Arguments.of(wants("metadata.name", IN, "n1"), true),
                    Arguments.of(wants("metadata.name", IN, "n2"), false),
                    Arguments.of(wants("metadata.name", NOT_IN, "n2"), true),
                    Arguments.of(wants("metadata.name", NOT_IN, "n1"), false),
                    Arguments.of(wants("metadata.name", IN, "n1", "n2"), false),
                    Arguments.of(wants("metadata.name", EXISTS), false),
                    Arguments.of(wants("spec.x", IN, ""), true),
                    Arguments.of(wants("spec.x", IN, "n1"), false),
                    Arguments.of(wants("spec.x", NOT_IN, "n1"), true));
        }

        @ParameterizedTest
        @MethodSource("fields")
        void oneField(Requirement requirement, boolean matches) {
            var term = new NodeSelector.Term(List.of(), List.of(requirement));
            assertThat(term.matches(NODE)).isEqualTo(matches);
        }

        @Test
        void termWithoutConditionsMatchesNothing() {
            assertThat(new NodeSelector.Term(List.of(), List.of()).matches(NODE)).isFalse();
            assertThat(new NodeSelector(List.of()).matches(NODE)).isFalse();
        }

        @Test
        void oneTermIsEnoughAndAnUnsoundOneDoesNotSpoilIt() {
            var sound = new NodeSelector.Term(List.of(wants("disk", EXISTS)), List.of());
            var unsound = new NodeSelector.Term(List.of(wants("disk", IN)), List.of());
            assertThat(new NodeSelector(List.of(unsound, sound)).matches(NODE)).isTrue();
            assertThat(new NodeSelector(List.of(unsound)).matches(NODE)).isFalse();
        }

        @Test
        void expressionsAndFieldsMustHoldTogether() {
            var term =
                    new NodeSelector.Term(
                            List.of(wants("disk", EXISTS)),
                            List.of(wants("metadata.name", IN, "n2")));
            assertThat(term.matches(NODE)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // toleration: key, operator, value, effect; taint: key, value, effect
        "k, Equal, v, NoSchedule, k, v, NoSchedule, true",
        "k, '', v, NoSchedule, k, v, NoSchedule, true",
        "k, Equal, w, NoSchedule, k, v, NoSchedule, false",
        "k, Exists, '', NoSchedule, k, v, NoSchedule, true",
        "k, Exists, '', '', k, v, NoExecute, true",
        "k, Exists, '', NoSchedule, k, v, NoExecute, false",
        "'', Exists, '', '', k, v, NoSchedule, true",
        "x, Exists, '', '', k, v, NoSchedule, false",
        "'', Equal, v, '', k, v, NoSchedule, true",
        "'', Equal, w, '', k, v, NoSchedule, false",
        "k, Lt, 9, '', k, 5, NoSchedule, true",
        "k, Lt, 5, '', k, 5, NoSchedule, false",
        "k, Gt, 1, '', k, 5, NoSchedule, true",
        "k, Gt, 5, '', k, 5, NoSchedule, false",
        "k, Gt, 01, '', k, 5, NoSchedule, false",
        "k, Other, v, '', k, v, NoSchedule, false"
    })
    @Tag("H-10")
    void tolerations(
            String key,
            String operator,
            String value,
            String effect,
            String taintKey,
            String taintValue,
            String taintEffect,
            boolean tolerates) {
        assertThat(
                        new Toleration(key, operator, value, effect)
                                .tolerates(new Taint(taintKey, taintValue, taintEffect)))
                .isEqualTo(tolerates);
    }

    @ParameterizedTest
    @CsvSource({"NoSchedule, true", "NoExecute, true", "PreferNoSchedule, false"})
    @Tag("H-11")
    void taintsThatKeepPodsAway(String effect, boolean keeps) {
        assertThat(new Taint("k", "v", effect).keepsPodsAway()).isEqualTo(keeps);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 80, '', '', 80, true",
        "'', '', 80, 0.0.0.0, TCP, 80, true",
        "'', '', 80, 10.0.0.1, TCP, 80, true",
        "10.0.0.1, TCP, 80, '', '', 80, true",
        "10.0.0.1, TCP, 80, 10.0.0.1, '', 80, true",
        "10.0.0.1, TCP, 80, 10.0.0.2, TCP, 80, false",
        "'', UDP, 80, '', TCP, 80, false",
        "'', '', 80, '', '', 81, false",
        "'::', '', 80, 10.0.0.1, '', 80, false",
        "'::', '', 80, '', '', 80, true",
        "'', '', 0, '', '', 0, false",
        "'', '', -1, '', '', -1, false"
    })
    @Tag("E-12")
    void hostPorts(
            String ip,
            String protocol,
            int port,
            String otherIp,
            String otherProtocol,
            int otherPort,
            boolean conflict) {
        var one = new HostPort(ip, protocol, port);
        var other = new HostPort(otherIp, otherProtocol, otherPort);
        assertThat(one.conflictsWith(other)).isEqualTo(conflict);
        assertThat(other.conflictsWith(one)).isEqualTo(conflict);
    }
}
