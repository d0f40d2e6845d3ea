package io.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.device.Device;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists are sorted as kube-scheduler does.
class SortTest {
    private final DeviceSelectors selectors = new DeviceSelectors(true);

    private boolean matches(String expression) throws SelectorException {
        return selectors.of(expression).matches("d", Device.of("gpu-0", Map.of()));
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[3, 1, 2].sortBy(x, x) == [1, 2, 3] && [1, 2, 3].sortBy(x, -x) == [3, 2, 1]",
                "[{'a': 2}, {'a': 1}].sortBy(m, m.a)[0].a + 1 == 2",
                "['b', 'a'].sortBy(x, x) == ['a', 'b'] && [true, false].sortBy(x, x)[0] == false",
                "[2u, 1u].sortBy(x, x) == [1u, 2u] && [2.0, 1.0].sortBy(x, x) == [1.0, 2.0]",
                "[b'b', b'a'].sortBy(x, x) == [b'a', b'b'] && [b'b', b'a'].sort()[0] == b'a'",
                "[duration('2s'), duration('1s')].sortBy(x, x)[0] == duration('1s')",
                "[timestamp('2021-01-01T00:00:00Z'), timestamp('2020-01-01T00:00:00Z')]"
                        + ".sortBy(x, x)[0].getFullYear() == 2020",
                "[quantity('2'), quantity('1')].sortBy(x, x.asInteger())[0] == quantity('1')",
                "{'b': 1, 'a': 2}.map(k, k).sortBy(x, x) == ['a', 'b'] && [].sortBy(x, x) == []",
                "dyn([3, 1]).sortBy(x, x) == [1, 3] && [dyn(2), dyn(1)].sort() == [1, 2]",
                "[[3, 1], [2]].sortBy(l, l.sortBy(x, x)[0]) == [[3, 1], [2]]",
                "['😀', '\\uffff'].sortBy(x, x)[0] == '\\uffff' && ['😀', '\\uffff'].sort()[1] == '😀'",
                "string([double('NaN'), 2.0, 1.0].sortBy(x, x)[1]) == string(1.0)",
                "['foo', 'bar', 'baz'].sortBy(e, size(e)) == ['foo', 'bar', 'baz']",
                "[1, 2, 3, 4, 5, 6, 7, 8].sortBy(x, x % 2) == [2, 4, 6, 8, 1, 3, 5, 7]",
            })
    void sorts(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[dyn(2), dyn('a')].sortBy(x, x) == [] | list elements must have the same type",
                "[dyn(2), dyn(1.0)].sort() == [] | list elements must have the same type",
                "[2, 1].sortBy(x, null) == [] | list elements must be comparable",
                "[2, 1].sortBy(x, dyn([x])) == [] | list elements must be comparable",
                "[semver('2.0.0')].sortBy(x, dyn(x)) == [] | list elements must be comparable",
                "dyn({'a': 1}).sortBy(x, x) == [] | no such overload: @sortByAssociatedKeys",
            })
    void failsOnValues(String expression, String message) {
        assertThatThrownBy(() -> matches(expression)).hasMessage(message);
    }

    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1, 2].sortBy(x, [x]) == [] | 14: found no matching overload for"
                        + " '@sortByAssociatedKeys' applied to 'list(int).(list(list(int)))'",
                "[quantity('2')].sortBy(x, x) == [] | 23: found no matching overload for"
                        + " '@sortByAssociatedKeys' applied to"
                        + " 'list(kubernetes.Quantity).(list(kubernetes.Quantity))'",
                "[[1], [0]].sort() == [] | 16: found no matching overload for 'sort' applied to"
                        + " 'list(list(int)).()'",
                "'abc'.sortBy(x, x) == [] | 1: sortBy can only be applied to a list, identifier,"
                        + " comprehension, call or select expression",
                "{'a': 2}.sortBy(x, x) == [] | 1: sortBy can only be applied to a list, identifier,"
                        + " comprehension, call or select expression",
                "[3, 1].sortBy(1, x) == [] | 15: argument is not an identifier",
                "[3, 1].sortBy(x) == [] | 14: undeclared reference to 'sortBy'",
                "[3, 1].sortBy(x, x)[0] == 'a' | 24: found no matching overload for '_==_' applied"
                        + " to '(int, string)'",
            })
    void isNotUnderstood(String expression, String message) {
        assertThatThrownBy(() -> matches(expression))
                .hasMessageStartingWith("compilation failed: ERROR: <input>:1:" + message);
    }

    /// kube-scheduler says so only of lists of up to twelve.
    @Test
    @Tag("DR-39")
    void equalKeysKeepTheirOrder() throws Exception {
        assertThat(
                        matches(
                                "lists.range(60).sortBy(x, x % 3)"
                                        + " == lists.range(60).filter(x, x % 3 == 0)"
                                        + " + lists.range(60).filter(x, x % 3 == 1)"
                                        + " + lists.range(60).filter(x, x % 3 == 2)"))
                .isTrue();
    }
}
