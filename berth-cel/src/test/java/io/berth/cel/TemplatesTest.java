package io.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Templates (`'%s'.format([x])`) spell values, and fail, as those of kube-scheduler; all results
/// here are its own.
class TemplatesTest {
    private static final String DRIVER = "gpu.example.com";

    private static final Device DEVICE =
            Device.of(
                    "gpu-0",
                    Map.of(
                            "model", new DeviceAttribute.Text("a100"),
                            "index", new DeviceAttribute.Int(3),
                            "healthy", new DeviceAttribute.Bool(true)));

    private final DeviceSelectors selectors = new DeviceSelectors(true);

    private boolean matches(String expression) throws SelectorException {
        return selectors.of(expression).matches(DRIVER, DEVICE);
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%s %s %s'.format(['a', 1, 2u]) == 'a 1 2'",
                "'100%%'.format([]) == '100%' && '%%%s%%'.format([1]) == '%1%'",
                "'é%sé'.format(['ü']) == 'éüé'",
                "'%.3s %.2d'.format(['abc', 5]) == 'abc 5'",
                "'%s'.format([device.driver]) == 'gpu.example.com'",
                "'%s/%d'.format([dyn(device.attributes['gpu.example.com'].model),"
                        + " int(device.attributes['gpu.example.com'].index)]) == 'a100/3'",
                "'%s'.format([device.attributes]) =="
                        + " '{\"gpu.example.com\":{\"healthy\":true, \"index\":3, \"model\":\"a100\"}}'",
                "device.attributes.map(d, '%s/%s'.format([d, 'x'])) == ['gpu.example.com/x']",
            })
    void takesValuesInTheirOrder(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%s %s %s'.format([1.0, 1.5, 123456.0]) == '1 1.5 123456'",
                "'%s %s %s'.format([1e6, 123456789.125, 1e21])"
                        + " == '1e+06 1.23456789125e+08 1e+21'",
                "'%s %s %s %s'.format([0.0001, 0.00001, -0.0, 5e-324]) == '0.0001 1e-05 -0 5e-324'",
                "'%s %s %s'.format([double('NaN'), 1.0 / 0.0, -1.0 / 0.0]) == 'NaN +Inf -Inf'",
                "'%s %s %s'.format([duration('90m'), duration('-1.5s'), duration('1ns')])"
                        + " == '5400s -1.5s 0.000000001s'",
                "'%s'.format([timestamp('2020-01-01T01:02:03.120Z')]) == '2020-01-01T01:02:03.12Z'",
                "'%s %s %s'.format([null, b'abc', true]) == 'null abc true'",
                "'%s %s %s %s'.format([type(1), type([1]), type(null), type(duration('1s'))])"
                        + " == 'int list null_type google.protobuf.Duration'",
            })
    void spellsAnyValueByItself(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%s'.format([[1, 2u, 'a\"b', b'xy', 1.5, true, null]])"
                        + " == '[1, 2, \"a\\\\\"b\", b\"xy\", 1.500000, true, null]'",
                "'%s'.format([[double('NaN'), 1e10, -0.0]])"
                        + " == '[\"NaN\", 10000000000.000000, -0.000000]'",
                "'%s'.format([{'b': 1, 'a': [1, {'x': 'y'}]}]) == '{\"a\":[1, {\"x\":\"y\"}], \"b\":1}'",
                "'%s'.format([{2: 'b', 10: 'a'}]) == '{10:\"a\", 2:\"b\"}'",
                "'%s'.format([{1: 'a', 'b': 2}]) == '{\"b\":2, 1:\"a\"}'",
                "'%s'.format([{'é': 1, '😀': 3, '\\uffff': 4}])"
                        + " == '{\"\\\\uffff\":4, \"é\":1, \"😀\":3}'",
                "'%s'.format([[duration('1.5s'), timestamp('2020-01-01T00:00:00Z')]])"
                        + " == '[duration(\"1.5s\"), timestamp(\"2020-01-01T00:00:00Z\")]'",
                "'%s'.format([['\\a\\b\\f\\n\\r\\t\\v\\u007f\\u00a0', '\\U000e0001', '\\u0001']]) =="
                        + " r'[\"\\a\\b\\f\\n\\r\\t\\v\\x7f\\u00a0\", \"\\U000e0001\", \"\\x01\"]'",
                "'%s %s'.format([[], {}]) == '[] {}' && '%s'.format([[int, list]]) == '[int, list]'",
            })
    void spellsValuesOfListsAndMapsAsInExpressions(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%d %d %d'.format([1, -5, 18446744073709551615u]) == '1 -5 18446744073709551615'",
                "'%b %b %b %b'.format([5, -5, 5u, true]) == '101 -101 101 1'",
                "'%x %x %x %x %x'.format([255, -255, 255u, 'é', b'\\x00\\xff'])"
                        + " == 'ff -ff ff c3a9 00ff'",
                "'%X %X %X'.format([255, 'hello', b'\\xff']) == 'FF 68656C6C6F FF'",
                "'%o %o %o'.format([8, -8, 8u]) == '10 -10 10'",
                "'%f %f'.format([1.5, -1234567.891]) == '1.500000 -1,234,567.891000'",
                "'%.3f %.0f %.1f %.2f'.format([1.5, 2.5, 0.25, 1.015]) == '1.500 2 0.2 1.01'",
                "'%.20f %.0f %f'.format([0.1, -0.4, -0.0]) == '0.10000000000000000555 -0 0.000000'",
                "'%f %f %f'.format([double('NaN'), 1.0 / 0.0, '-Infinity']) == 'NaN ∞ -∞'",
                "'%e %e %e'.format([1234.5678, 0.0, -1.5e-10])"
                        + " == '1.234568×10⁰³ 0.000000×10⁰⁰ -1.500000×10⁻¹⁰'",
                "'%e %e'.format([1e100, 5e-324]) == '1.000000×10¹⁰⁰ 4.940656×10⁻³²⁴'",
                "'%.3e|%.15e|%e'.format([1.0, -1.0, double('NaN')])"
                        + " == '1.000000×10⁰⁰| -1.000000×10⁰⁰|   NaN'",
            })
    void spellsNumbersByTheirClause(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    /// Where kube-scheduler keeps a number in few bits, ours is cut the same.
    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%.257f %.256f'.format([1.5, 1.25]) == '1.5 1.25'",
                "'%.65536f %.65537f'.format([1.5, 1.55]) == '2 1.6'",
                "'%.32768f'.format([1.23456789]) == '1.23456789'",
                "'%.300f'.format([1.0]) == '1.' + '%s'.format([lists.range(44).map(i, '0').join()])",
                "'%.65550e'.format([1.5]) == ' 1.500000×10⁰⁰'",
                "'%.10000009f'.format([1.5]).size() == 139",
                "'%.99999999f %.10000010e'.format([1.5, 1.5]) == '%!(NOVERB) %!(NOVERB)'",
            })
    void hugePrecisionsAreCut(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'%s %s'.format(dyn([1])) == '' | index 1 out of range",
                "'%'.format(dyn([1])) == '' | unexpected end of string",
                "'%'.format(dyn([])) == '' | index 0 out of range",
                "'%q'.format(dyn([1])) == '' | could not parse formatting clause:"
                        + " unrecognized formatting clause \"q\"",
                "'%é'.format(dyn([1])) == '' | could not parse formatting clause:"
                        + " unrecognized formatting clause \"Ã\"",
                "'%.3'.format(dyn([1])) == '' | could not parse formatting clause: error while"
                        + " parsing precision: could not find end of precision specifier",
                "'%.f'.format(dyn([1])) == '' | could not parse formatting clause: error while"
                        + " parsing precision: error while converting precision to integer:"
                        + " strconv.Atoi: parsing \"\": invalid syntax",
                "'%.9223372036854775808f'.format(dyn([1])) == '' | could not parse formatting"
                        + " clause: error while parsing precision: error while converting precision"
                        + " to integer: strconv.Atoi: parsing \"9223372036854775808\": value out of"
                        + " range",
                "'%d'.format([dyn('a')]) == '' | error during formatting: decimal clause can only be"
                        + " used on integers, was given string",
                "'%f'.format(['x']) == '' | error during formatting: fixed-point clause can only be"
                        + " used on doubles, was given string",
                "'%e'.format([dyn(1u)]) == '' | error during formatting: scientific clause can only"
                        + " be used on doubles, was given uint",
                "'%b'.format([dyn(1.5)]) == '' | error during formatting: only integers and bools can"
                        + " be formatted as binary, was given double",
                "'%x'.format([dyn(null)]) == '' | error during formatting: only integers, byte"
                        + " buffers, and strings can be formatted as hex, was given null_type",
                "'%o'.format([dyn({})]) == '' | error during formatting: octal clause can only be used"
                        + " on integers, was given map",
                "'%d'.format([dyn(b'a')]) == '' | error during formatting: decimal clause can only be"
                        + " used on integers, was given bytes",
                "'%d'.format([dyn(duration('1s'))]) == '' | error during formatting: decimal clause"
                        + " can only be used on integers, was given google.protobuf.Duration",
                "'%s'.format([dyn(quantity('1'))]) == '' | error during formatting: string clause can"
                        + " only be used on strings, bools, bytes, ints, doubles, maps, lists,"
                        + " types, durations, and timestamps, was given kubernetes.Quantity",
                "'%s'.format([[dyn(ip('::1'))]]) == '' | error during formatting: no formatting"
                        + " function for net.IP",
                "'%s'.format([b'\\xff']) == '' | error during formatting: could not convert argument"
                        + " \"invalid UTF-8 in bytes, cannot convert to string\" to string",
                "'%s'.format(dyn('a')) == '' | no such overload: format(string, string)",
            })
    void failsOnValues(String expression, String message) {
        assertThatThrownBy(() -> matches(expression))
                .isInstanceOfSatisfying(
                        SelectorException.class,
                        failed -> {
                            assertThat(failed.stage()).isEqualTo(SelectorException.Stage.RUNTIME);
                            assertThat(failed).hasMessage(message);
                        });
    }

    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'%d'.format(['a']) == '' | 14: error during formatting: decimal clause can only be"
                        + " used on integers, was given string",
                "'%f'.format([1]) == '' | 14: error during formatting: fixed-point clause can only be"
                        + " used on doubles, was given int",
                "'%s'.format([]) == '' | 12: index 0 out of range",
                "'%s%'.format([1]) == '' | 13: unexpected end of string",
                "'%q'.format([1]) == '' | 12: could not parse formatting clause: unrecognized"
                        + " formatting clause \"q\"",
                "'%s'.format([1, 2]) == '' | 12: too many arguments supplied to string.format"
                        + " (expected 1, got 2)",
                "'%s'.format([{'a': [quantity('1')]}]) == '' | 29: error during formatting: string"
                        + " clause can only be used on strings, bools, bytes, ints, doubles, maps,"
                        + " lists, types, durations, and timestamps, was given kubernetes.Quantity",
                "'%s'.format([device.attributes['d'].model]) == '' | 36: error during formatting:"
                        + " string clause can only be used on strings, bools, bytes, ints, doubles,"
                        + " maps, lists, types, durations, and timestamps, was given"
                        + " google.protobuf.Any",
                "'%s'.format('a') == '' | 12: found no matching overload for 'format' applied to"
                        + " 'string.(string)'",
            })
    void whatStandsInTheExpressionIsCheckedBefore(String expression, String message) {
        assertThatThrownBy(() -> matches(expression))
                .isInstanceOfSatisfying(
                        SelectorException.class,
                        failed -> {
                            assertThat(failed.stage()).isEqualTo(SelectorException.Stage.COMPILE);
                            assertThat(failed)
                                    .hasMessageStartingWith(
                                            "compilation failed: ERROR: <input>:1:" + message);
                        });
    }

    @Test
    @Tag("DR-39")
    void argumentsMayBeOfManyTypesWhereOtherListsMayNot() throws Exception {
        assertThat(matches("'%s %s'.format([1, ['a', {'b': 1, 'c': 'd'}]]) != ''")).isTrue();
        for (String mixed :
                new String[] {
                    "[1, 'a'] == []",
                    "[[1], [dyn(1)]] == []",
                    "{'a': 1, 'b': 'c'} == {}",
                    "{'a': 1, 2: 3} == {}",
                    "['a', device.attributes['d'].model] == []",
                    "[?optional.of('a'), 2] == []",
                }) {
            assertThatThrownBy(() -> matches(mixed)).hasMessageContaining("expected type '");
        }
    }
}
