package io.berth.app.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlagSetTest {
    private static final FlagSet FLAGS =
            new FlagSet(
                    List.of(
                            new Flag("misc", "config", (char) 0, FlagType.STRING, "", "A file."),
                            new Flag("misc", "port", (char) 0, FlagType.INT, "10259", "A port."),
                            new Flag("misc", "burst", (char) 0, FlagType.INT32, "100", "Burst."),
                            new Flag("misc", "qps", (char) 0, FlagType.FLOAT32, "50", "Rate."),
                            new Flag("misc", "elect", (char) 0, FlagType.BOOL, "true", "Elect."),
                            new Flag(
                                    "misc", "wait-for", (char) 0, FlagType.DURATION, "5s", "Wait."),
                            new Flag("misc", "address", (char) 0, FlagType.IP, "0.0.0.0", "Where."),
                            new Flag("misc", "labels", (char) 0, FlagType.MAP, "[]", "Labels."),
                            new Flag("logs", "v", 'v', FlagType.LEVEL, "", "Verbosity."),
                            new Flag("global", "help", 'h', FlagType.BOOL, "", "Help.")));

    @ParameterizedTest
    @Tag("P-8")
    @CsvSource({"--port=1", "--port 1"})
    void longFlagTakesItsValueAfterEqualsOrAsTheNextWord(String line) throws FlagException {
        assertThat(parse(line).value("port")).contains("1");
    }

    /// The time to read a number grew with the square of its length, and the verbosity can be set
    /// over the network.
    @ParameterizedTest
    @Timeout(20)
    @ValueSource(strings = {"port", "burst", "qps", "wait-for", "address", "v"})
    void noNumberIsLongEnoughToTakeLong(String flag) {
        String digits = "1".repeat(1_000_000);
        for (var value :
                List.of(digits, "0x" + digits, "1_" + digits, digits + "h", "1h" + digits)) {
            assertThatThrownBy(() -> FLAGS.parse(List.of("--" + flag + "=" + value)))
                    .isInstanceOf(FlagException.class);
        }
    }

    @ParameterizedTest
    @Tag("P-8")
    @CsvSource({"-v4", "-v=4", "-v 4", "--v=4", "--v 4"})
    void verbosityIsGivenInAnyForm(String line) throws FlagException {
        assertThat(parse(line).value("v")).contains("4");
    }

    @Test
    @Tag("P-8")
    void booleanTakesNoSeparateValue() throws FlagException {
        ParsedFlags parsed = parse("--elect false");
        assertThat(parsed.isTrue("elect")).isTrue();
        assertThat(parsed.arguments()).containsExactly("false");
        assertThat(parse("--elect=false").isTrue("elect")).isFalse();
    }

    @Test
    @Tag("P-7")
    void underscoresInNamesAreDashes() throws FlagException {
        assertThat(parse("--wait_for=1s").value("wait-for")).contains("1s");
    }

    @Test
    @Tag("P-8")
    void doubleDashEndsTheFlags() throws FlagException {
        ParsedFlags parsed = parse("--port=1 -- --port=2 x");
        assertThat(parsed.values()).isEqualTo(Map.of("port", List.of("1")));
        assertThat(parsed.arguments()).containsExactly("--port=2", "x");
    }

    @Test
    void laterValueWins() throws FlagException {
        assertThat(parse("--port=1 --port=2").value("port")).contains("2");
    }

    @Test
    void emptyValueIsAValue() throws FlagException {
        assertThat(parse("--config=").value("config")).contains("");
    }

    @ParameterizedTest
    @Tag("P-10")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--foo | unknown flag: --foo",
                "--foo_bar=1 | unknown flag: --foo_bar",
                "--config | flag needs an argument: --config",
                "-v | flag needs an argument: 'v' in -v",
                "-config | unknown shorthand flag: 'c' in -config",
                "-hx | unknown shorthand flag: 'x' in -x",
                "--=x | bad flag syntax: --=x",
                "---x | bad flag syntax: ---x",
                "--port=abc | invalid argument \"abc\" for \"--port\" flag: strconv.ParseInt: parsing \"abc\": invalid syntax",
                "--burst=0x | invalid argument \"0x\" for \"--burst\" flag: strconv.ParseInt: parsing \"0x\": invalid syntax",
                "--burst=9999999999 | invalid argument \"9999999999\" for \"--burst\" flag: strconv.ParseInt: parsing \"9999999999\": value out of range",
                "--qps=x | invalid argument \"x\" for \"--qps\" flag: strconv.ParseFloat: parsing \"x\": invalid syntax",
                "--elect=x | invalid argument \"x\" for \"--elect\" flag: strconv.ParseBool: parsing \"x\": invalid syntax",
                "-v=-1 | invalid argument \"-1\" for \"-v, --v\" flag: strconv.ParseUint: parsing \"-1\": invalid syntax",
                "--address=x | invalid argument \"x\" for \"--address\" flag: failed to parse IP: \"x\"",
                "--labels=a | invalid argument \"a\" for \"--labels\" flag: a must be formatted as key=value",
            })
    void mistakesAreToldInTheWordsOfPflag(String line, String message) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(FlagException.class).hasMessage(message);
    }

    @ParameterizedTest
    @Tag("P-9")
    @CsvSource(
            delimiter = '|',
            value = {
                "5 | time: missing unit in duration \"5\"",
                "5x | time: unknown unit \"x\" in duration \"5x\"",
                "abc | time: invalid duration \"abc\"",
                "1d | time: unknown unit \"d\" in duration \"1d\"",
                "1.5.5s | time: missing unit in duration \"1.5.5s\"",
                "- | time: invalid duration \"-\"",
            })
    void durationIsRefusedInTheWordsOfGo(String value, String message) {
        assertThatThrownBy(() -> GoSyntax.parseDuration(value)).hasMessage(message);
    }

    @ParameterizedTest
    @Tag("P-9")
    @CsvSource({
        "300ms,PT0.3S",
        "1m30s,PT1M30S",
        "1.5h,PT1H30M",
        "-2s,PT-2S",
        "0,PT0S",
        ".5s,PT0.5S",
        "1us,PT0.000001S"
    })
    void durationIsReadAsGoReadsIt(String value, String expected) throws FlagException {
        assertThat(GoSyntax.parseDuration(value)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0x1F,31",
        "0b101,5",
        "017,15",
        "0o17,15",
        "0,0",
        "-12,-12",
        "+7,7",
        "1_000,1000",
        "0x_1F,31"
    })
    void integersMayHaveABase(String value, long expected) throws FlagException {
        assertThat(GoSyntax.parseInt(value, 64)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1", "2001:db8::ff00:42:8329"})
    void addressesOfBothFamiliesAreAccepted(String address) throws FlagException {
        assertThat(parse("--address=" + address).value("address")).contains(address);
    }

    @ParameterizedTest
    @CsvSource({"1.2.3", "1.2.3.4.5", "256.0.0.1", "a:b", "1.2.3.4:80"})
    void otherTextIsNoAddress(String address) {
        assertThatThrownBy(() -> parse("--address=" + address)).isInstanceOf(FlagException.class);
    }

    @Test
    @Tag("P-12")
    void helpListsGroupsWithSortedFlags() {
        assertThat(FLAGS.usage())
                .startsWith(
                        "\nMisc flags:\n\n      --address ip              Where. (default 0.0.0.0)\n")
                .contains("\n      --elect                   Elect. (default true)\n")
                .endsWith(
                        """

                        Logs flags:

                          -v, --v Level   Verbosity.

                        Global flags:

                          -h, --help   Help.
                        """);
    }

    @ParameterizedTest
    @Tag("P-9")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a,b | [a,b]",
                "a | [a]",
                "a,,b | [a,,b]",
                "`\"a,b\",c` | [a,b,c]",
                "`\"a\"\"b\"` | [a\"b]",
                "`` | []",
            })
    void listIsSeparatedByCommas(String value, String shown) throws FlagException {
        assertThat(FlagType.STRINGS.view().text(List.of(value))).isEqualTo(shown);
    }

    @Test
    @Tag("P-9")
    void repeatedListAppends() throws FlagException {
        ParsedFlags parsed = new ParsedFlags(Map.of("l", List.of("a,b", "c")), List.of());
        assertThat(parsed.strings("l")).contains(List.of("a", "b", "c"));
        assertThat(parsed.strings("other")).isEmpty();
    }

    @ParameterizedTest
    @Tag("P-9")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`a\"b` | parse error on line 1, column 2: bare \" in non-quoted field",
                "`\"a` | parse error on line 1, column 3: extraneous or missing \" in quoted-field",
                "`\"a\"b` | parse error on line 1, column 3: extraneous or missing \" in quoted-field",
            })
    void brokenListIsRefusedInTheWordsOfGo(String value, String message) {
        assertThatThrownBy(() -> Csv.fields(value)).hasMessage(message);
    }

    @ParameterizedTest
    @Tag("P-9")
    @CsvSource(
            delimiter = '|',
            value = {
                "a=b | {a=b}",
                "m,l=v,w | {m,l=v,w}",
                "a=b,c=d | {a=b, c=d}",
                "a= | {a=}",
            })
    void mapIsMadeOfPairs(String value, String pairs) throws FlagException {
        assertThat(Pairs.read(value)).hasToString(pairs);
    }

    @Test
    @Tag("P-15")
    void everyFlagHasATextGivenOrNot() throws FlagException {
        assertThat(FLAGS.valueTexts(parse("--port=0x10 --wait-for 90s --elect=F --qps=5.50")))
                .containsEntry("port", "16")
                .containsEntry("wait-for", "1m30s")
                .containsEntry("elect", "false")
                .containsEntry("qps", "5.5")
                .containsEntry("burst", "100")
                .containsEntry("config", "")
                .containsEntry("v", "0")
                .containsEntry("labels", "[]")
                .hasSize(10);
    }

    @Test
    @Tag("P-12")
    void onATerminalExplanationsStandBelowTheirFlags() {
        var flags =
                new FlagSet(
                        List.of(
                                new Flag(
                                        "misc",
                                        "config",
                                        (char) 0,
                                        FlagType.STRING,
                                        "",
                                        "The first half of a sentence that is too long, then the"
                                                + " other half."),
                                new Flag("misc", "port", (char) 0, FlagType.INT, "1", "A port.")));
        assertThat(flags.usage(60).lines().map(String::stripTrailing))
                .containsExactly(
                        "",
                        "Misc flags:",
                        "",
                        "      --config string",
                        "                The first half of a sentence that is",
                        "                too long, then the other half.",
                        "      --port int",
                        "                A port. (default 1)");
    }

    private static ParsedFlags parse(String line) throws FlagException {
        return FLAGS.parse(List.of(line.split(" ")));
    }
}
