package io.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.Reach;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is answered without the library is answered as the library would.
@Tag("DR-39")
class PlainSelectorTest {
    private static final String DRIVER = "gpu.example.com";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.driver == \"gpu.example.com\"",
                "device.driver == 'gpu.example.com' && device.attributes['gpu.example.com'].model == 'a'",
                "device.attributes[\"gpu.example.com\"].index >= 1 || !device.allowMultipleAllocations",
                "device.capacity['gpu.example.com'].memory.compareTo(quantity('10Gi')) >= 0",
                "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('10Gi'))",
                "device.attributes['gpu.example.com'].version.compareTo(semver('1.2.3')) < 0",
                "has(device.attributes['x.example.com'].model)",
                "'x.example.com' in device.attributes",
                "'model' in device.attributes['gpu.example.com']",
                "device.attributes['gpu.example.com'].model in ['a', 'b']",
                "(device.attributes['gpu.example.com']['model'].startsWith('a'))",
            })
    void ordinarySelectorNeedsNoLibrary(String expression) throws Exception {
        var selector = DeviceSelector.of(expression, true);
        var _ = selector.matches(DRIVER, full());
        assertThat(selector.isCompiled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.driver == 1",
                "device.driver",
                "device.driver.size() == 3",
                "device.attributes == 'a'",
                "device.attributes['a'] == device.attributes['a']",
                "device.attributes['a'].in == 1",
                "device.attributes['a/b'].c",
                "has(device.attributes['a']['b'])",
                "device.capacity['a'].b",
                "device.capacity['a'].b < quantity('1')",
                "device.capacity['a'].b.compareTo(semver('1.0.0')) == 0",
                "device.attributes['a'].b == 1 == true",
                "'''a''' == device.driver",
                "r'a' == device.driver",
                "'\\n' == device.driver",
                "'ä' == device.driver",
                "device.attributes['a'].b == 01",
                "device.attributes['a'].b == 0x1",
                "device.attributes['a'].b == 1.5",
                "device.attributes['a'].b == 1u",
                "device.attributes['a'].b in []",
                "device.attributes['a'].b in ['a', 1]",
                "device.driver in [1]",
                "true // all of them",
                "true && 1",
                "!!!!!!!!!!!!!!true",
                "device.attributes['a'].b ? true : false",
                "device.attributes['a'].?b.orValue(true)",
                "",
            })
    void everythingElseIsLeftToTheLibrary(String expression) {
        assertThat(PlainParser.parse(expression, true)).isNull();
    }

    @Test
    void withoutItsFeatureNobodyAsksWhetherADeviceIsShared() {
        assertThat(PlainParser.parse("device.allowMultipleAllocations", false)).isNull();
    }

    /// Expressions and devices by chance: many are refused or fail.
    @Test
    void answersAsTheLibraryDoes() throws Exception {
        int answers = 0;
        for (int seed = 1; seed <= 400; seed++) {
            answers += answersAlike(new Random(seed), seed);
        }
        assertThat(answers).isGreaterThan(1_000);
    }

    private static int answersAlike(Random random, int seed) throws Exception {
        String expression = new Text(random).any();
        var plain = PlainParser.parse(expression, true);
        if (plain == null) {
            return 0;
        }
        var library = Language.of(true).compile(expression);
        int answers = 0;
        for (int i = 0; i < 16; i++) {
            var device = device(random);
            var answer = Plain.ask(plain, DRIVER, device);
            if (answer != null) {
                answers++;
                assertThat(library.matches(DRIVER, device, new Cost()))
                        .as("seed %d: %s on %s", seed, expression, device)
                        .isEqualTo(answer);
            }
        }
        return answers;
    }

    private static Device full() {
        return device(
                Map.of(
                        "model", new DeviceAttribute.Text("a"),
                        "index", new DeviceAttribute.Int(1),
                        "version", new DeviceAttribute.Version("1.2.3")),
                Map.of("memory", new Device.Capacity(Quantity.parse("10Gi"), null)),
                true);
    }

    private static Device device(Random random) {
        var attributes = new HashMap<String, DeviceAttribute>();
        for (String name : List.of("a", "b", "c", "d.example.com/a", "d.example.com/b")) {
            var value = attribute(random);
            if (value != null) {
                attributes.put(name, value);
            }
        }
        if (random.nextInt(8) == 0) {
            attributes.put(DRIVER + "/a", new DeviceAttribute.Int(1));
        }
        var capacity = new HashMap<String, Device.Capacity>();
        for (String name : List.of("a", "b", "d.example.com/a")) {
            if (random.nextInt(3) > 0) {
                capacity.put(name, new Device.Capacity(Quantity.parse(amount(random)), null));
            }
        }
        return device(attributes, capacity, random.nextBoolean());
    }

    private static @Nullable DeviceAttribute attribute(Random random) {
        return switch (random.nextInt(30)) {
            case 0 -> new DeviceAttribute.Unsupported();
            case 1 -> new DeviceAttribute.Version("1.x");
            case 2, 3, 4 -> null;
            case 5, 6, 7, 8, 9, 10, 11, 12 -> new DeviceAttribute.Int(random.nextInt(4) - 1);
            case 13, 14, 15, 16, 17, 18, 19, 20 -> new DeviceAttribute.Text(text(random));
            case 21, 22, 23, 24, 25 -> new DeviceAttribute.Bool(random.nextBoolean());
            default -> new DeviceAttribute.Version(version(random));
        };
    }

    private static Device device(
            Map<String, DeviceAttribute> attributes,
            Map<String, Device.Capacity> capacity,
            boolean isShareable) {
        return new Device(
                "d",
                attributes,
                capacity,
                List.of(),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                isShareable);
    }

    private static String text(Random random) {
        return one(random, "", "a", "ab", "b", DRIVER, "d.example.com");
    }

    private static String version(Random random) {
        return one(random, "1.0.0", "1.0.0-rc.1", "1.0.0+build", "1.10.0", "0.9.9");
    }

    private static String amount(Random random) {
        return one(random, "1", "1000m", "1Ki", "1024", "0", "-1", "1.5");
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }

    /// Writes expressions: of the ordinary sort mostly, of which some lose or gain a letter.
    private record Text(Random random) {
        String any() {
            String whole = condition(3);
            if (random.nextInt(4) > 0 || whole.isEmpty()) {
                return whole;
            }
            int at = random.nextInt(whole.length());
            String letter = one(random, "", "", "'", "\"", "(", ".", "!", "=", "1", "a", " ", "[");
            return whole.substring(0, at) + letter + whole.substring(at + random.nextInt(2));
        }

        private String condition(int depth) {
            return switch (depth == 0 ? 4 + random.nextInt(8) : random.nextInt(12)) {
                case 0, 1 -> condition(depth - 1) + " && " + condition(depth - 1);
                case 2 -> condition(depth - 1) + "||" + condition(depth - 1);
                case 3 -> one(random, "!", "! ", "!!") + "(" + condition(depth - 1) + ")";
                case 4 -> value() + one(random, " == ", "!=", " ==") + value();
                case 5 -> value() + one(random, " < ", "<=", ">", " >= ") + value();
                case 6 -> "has(" + member() + ")";
                case 7 -> quoted() + " in device." + one(random, "attributes", "capacity");
                case 8 -> quoted() + " in device." + domain();
                case 9 -> value() + " in [" + list() + "]";
                case 10 -> value() + looked();
                default -> compared();
            };
        }

        private String value() {
            return switch (random.nextInt(8)) {
                case 0 -> "device.driver";
                case 1 -> one(random, "true", "false", "device.allowMultipleAllocations");
                case 2 -> Integer.toString(random.nextInt(4) - 1);
                case 3 -> quoted();
                case 4 -> random.nextInt(3) == 0 ? "(" + condition(0) + ")" : member();
                default -> member();
            };
        }

        private String quoted() {
            String quote = one(random, "'", "\"");
            return quote + (random.nextInt(3) == 0 ? name() : text(random)) + quote;
        }

        private String name() {
            return one(random, "a", "b", "c", "a", "b", "missing", "in");
        }

        private String domain() {
            return one(random, "attributes", "attributes", "attributes", "capacity")
                    + "['"
                    + one(random, DRIVER, DRIVER, DRIVER, "d.example.com", "nobody")
                    + "']";
        }

        private String member() {
            return "device."
                    + domain()
                    + (random.nextInt(4) == 0 ? "[\"" + name() + "\"]" : "." + name());
        }

        private String list() {
            return String.join(
                    ", ",
                    IntStream.range(0, 1 + random.nextInt(3))
                            .mapToObj(_ -> random.nextInt(8) == 0 ? value() : quoted())
                            .toList());
        }

        private String looked() {
            return one(random, ".startsWith(", ".endsWith(", ".contains(")
                    + (random.nextInt(8) == 0 ? value() : quoted())
                    + ")";
        }

        private String compared() {
            String target =
                    random.nextInt(4) == 0
                            ? constant()
                            : random.nextBoolean()
                                    ? member()
                                    : "device.capacity['" + DRIVER + "']." + one(random, "a", "b");
            return switch (random.nextInt(4)) {
                case 0 -> target + ".isLessThan(" + constant() + ")";
                case 1 -> target + ".isGreaterThan(" + constant() + ")";
                case 2 -> target + " == " + constant();
                default ->
                        target
                                + ".compareTo("
                                + constant()
                                + ")"
                                + one(random, " < ", " <= ", " == ", "!=", ">", " >= ")
                                + one(random, "0", "1", "-1");
            };
        }

        private String constant() {
            return random.nextBoolean()
                    ? "quantity('" + one(random, amount(random), amount(random), "x") + "')"
                    : "semver(\"" + one(random, version(random), version(random), "1") + "\")";
        }
    }

    /// Long chains and deep ones are for the library, which has limits of its own.
    @Test
    void neitherLongNorDeep() {
        String one = "device.driver == 'a'";
        Stream.of("(".repeat(100) + one + ")".repeat(100), (one + " && ").repeat(100) + one)
                .forEach(expression -> assertThat(PlainParser.parse(expression, true)).isNull());
    }
}
