package io.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.Reach;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Expressions about devices mean what they mean to kube-scheduler.
class DeviceSelectorsTest {
    private static final String DRIVER = "gpu.example.com";

    private static final Device DEVICE =
            new Device(
                    "gpu-0",
                    Map.of(
                            "model", new DeviceAttribute.Text("A100"),
                            "index", new DeviceAttribute.Int(3),
                            "healthy", new DeviceAttribute.Bool(true),
                            "driverVersion", new DeviceAttribute.Version("1.10.2-rc.1"),
                            "other.example.com/numa", new DeviceAttribute.Int(1)),
                    Map.of("memory", new Device.Capacity(Quantity.parse("40Gi"), null)),
                    List.of(),
                    Reach.NOWHERE,
                    List.of(),
                    false,
                    List.of(),
                    List.of(),
                    true);

    private final DeviceSelectors selectors = new DeviceSelectors(true);

    private boolean matches(String expression) throws SelectorException {
        return selectors.of(expression).matches(DRIVER, DEVICE);
    }

    @Tag("DR-39")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.driver == 'gpu.example.com'",
                "device.attributes['gpu.example.com'].model == 'A100'",
                "device.attributes['gpu.example.com'].index > 2",
                "device.attributes['gpu.example.com'].index < 3.5",
                "device.attributes['gpu.example.com'].healthy",
                "device.attributes['other.example.com'].numa == 1",
                "device.allowMultipleAllocations",
                "!has(device.attributes['gpu.example.com'].missing)",
                "!has(device.attributes['nobody.example.com'].missing)",
                "!('nobody.example.com' in device.attributes)",
                "'gpu.example.com' in device.attributes",
                "'model' in device.attributes['gpu.example.com']",
                "size(device.attributes) == 2",
                "device.attributes['nobody.example.com'].?x.orValue(true)",
                "device.attributes[?'nobody.example.com'].hasValue()",
                "device.attributes.exists(d, d == 'other.example.com')",
                "cel.bind(dra, device.attributes['gpu.example.com'],"
                        + " dra.healthy && dra.model.startsWith('A'))",
                "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) == 0",
                "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('39.5Gi'))",
                "device.capacity['gpu.example.com'].memory.isLessThan(quantity('1Ti'))",
                "device.capacity['gpu.example.com'].memory == quantity('40960Mi')",
                "device.capacity['gpu.example.com'].memory.asInteger() == 42949672960",
                "quantity('1500m').isInteger() == false",
                "quantity('1500m').asApproximateFloat() == 1.5",
                "quantity('1').add(quantity('2')).sub(1) == quantity('2')",
                "quantity('-1').sign() == -1",
                "isQuantity('10Gi') && !isQuantity('ten')",
                "device.attributes['gpu.example.com'].driverVersion.isGreaterThan(semver('1.9.9'))",
                "device.attributes['gpu.example.com'].driverVersion.isLessThan(semver('1.10.2'))",
                "device.attributes['gpu.example.com'].driverVersion.minor() == 10",
                "semver('v1.02', true).compareTo(semver('1.2.0')) == 0",
                "isSemver('1.2.3+build') && !isSemver('1.2') && isSemver('1.2', true)",
                "semver('1.0.0+a') == semver('1.0.0+b')",
                "[3, 1, 2].max() == 3 && [3, 1, 2].min() == 1 && [3, 1, 2].sum() == 6",
                "[1, 2, 2].isSorted() && [1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2",
                "'a-b-c'.replace('-', '+') == 'a+b+c' && 'ab'.replace('', '-') == '-a-b-'",
                "'abc 123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]').size() == 2",
                "'a,b'.split(',').join('-') == 'a-b' && 'X'.lowerAscii() == 'x'",
                "[1, 2, 1].distinct() == [1, 2] && lists.range(3) == [0, 1, 2]",
                "string(1.0) == '1' && string(1e6) == '1e+06' && string(-1.0 / 0.0) == '-Inf'",
                "string(duration('1.5s')) == '1.5s' && string(duration('90m')) == '5400s'",
                "string(timestamp('2020-01-01T00:00:00.120Z')) == '2020-01-01T00:00:00.12Z'",
                "[1.5].filter(n, n > 2.0).sum() / 2.0 == 0.0",
                "[duration('1s')].filter(d, d > duration('2s')).sum() < duration('1s')",
                "[1u, 2u].sum() == 3u && [duration('1s'), duration('2s')].sum() == duration('3s')",
                "[dyn(1), dyn(2)].sum() == 3 && [dyn(1u), dyn(2u)].sum() == 3u",
                "[optional.of(1), optional.none()].unwrapOpt() == [1]",
                "[b'b', b'a'].min() == b'a' && ['\uffff', '😀'].max() == '😀'",
                "[[1], [2, 3]].flatten() == [1, 2, 3] && [[[1]]].flatten(2) == [1]",
                "sets.contains([1, 2, 3], [2, 3])",
                "{'a': 1}.all(k, v, k == 'a' && v == 1)",
                "'A100'.matches('A[0-9]+')",
                "ip('127.0.0.1').isLoopback() && ip('::1').isLoopback() && !ip('10.0.0.1').isLoopback()",
                "ip('10.0.0.1').family() == 4 && ip('2001:db8::1').family() == 6",
                "isIP('1.2.3.4') && isIP('1:2:3:4:5:6:7:8') && isIP('64:ff9b::1.2.3.4') && isIP('::')",
                "!isIP('1.2.3.256') && !isIP('01.2.3.4') && !isIP('1.2.3') && !isIP(':::1')",
                "!isIP('1::2::3') && !isIP('12345::') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
                "!isIP('1:2:3:4:5:6:7') && !isIP('1:2:3:4:5:6:7:8::') && !isIP('') && !isIP(':')",
                "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')",
                "string(ip('2001:db8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
                "string(ip('1:0:0:2:0:0:0:3')) == '1:0:0:2::3' && string(ip('0:0::0')) == '::'",
                "string(ip('1:0:2:3:4:5:6:7')) == '1:0:2:3:4:5:6:7' && string(ip('1::')) == '1::'",
                "ip('2001:db8::1') == ip('2001:DB8:0::1') && ip('::1') != ip('0.0.0.1')",
                "ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()",
                "ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()",
                "ip('ff02::1').isLinkLocalMulticast() && ip('fe80::1').isLinkLocalUnicast()",
                "ip('169.254.169.254').isLinkLocalUnicast() && !ip('fd80::1').isLinkLocalUnicast()",
                "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
                "ip('2001:db8::abcd').isGlobalUnicast() && !ip('ff00::1').isGlobalUnicast()",
                "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
                "cidr('2001:db8::/32').containsIP('2001:db8:1::1') && !cidr('::/0').containsIP('1.2.3.4')",
                "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')",
                "cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8')) && cidr('0.0.0.0/0').containsIP('9.9.9.9')",
                "cidr('192.168.1.7/24').masked() == cidr('192.168.1.0/24')",
                "cidr('192.168.1.7/24').ip() == ip('192.168.1.7') && cidr('::1/128').prefixLength() == 128",
                "string(cidr('192.168.1.7/24')) == '192.168.1.7/24'",
                "isCIDR('10.0.0.0/32') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/08')",
            })
    void holdsForTheDevice(String expression) throws Exception {
        assertThat(matches(expression)).isTrue();
    }

    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "device.attributes['gpu.example.com'].missing == 1 | no such key: missing",
                "device.attributes['gpu.example.com'].model"
                        + " | CEL result of type string could not be converted to bool: unsupported"
                        + " native conversion from string to 'bool'",
                "1 / 0 == 1 | division by zero",
                "quantity('1500m').asInteger() == 1 | cannot convert value to integer",
                "semver('x') == semver('1.0.0') | No Major.Minor.Patch elements found",
                "ip('x').isLoopback() | IP Address \"x\" parse error during conversion from string:"
                        + " ParseAddr(\"x\"): unable to parse IP",
            })
    void failsOnTheDevice(String expression, String message) {
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
                "device.foo | compilation failed: ERROR: <input>:1:7: undefined field 'foo'",
                "gpu | compilation failed: ERROR: <input>:1:1: undeclared reference to 'gpu'",
                "device.driver == | compilation failed: ERROR: <input>:1:17:",
                "1 + 1 | must evaluate to bool or the unknown type, not int",
                "['a'] | must evaluate to bool or the unknown type, not list(string)",
                "[1, 'a'] == [] | compilation failed: ERROR",
                "'abc'.reverse() == '' | compilation failed: ERROR",
            })
    void isNotUnderstood(String expression, String message) {
        assertThatThrownBy(() -> matches(expression))
                .isInstanceOfSatisfying(
                        SelectorException.class,
                        failed -> {
                            assertThat(failed.stage()).isEqualTo(SelectorException.Stage.COMPILE);
                            assertThat(failed).hasMessageStartingWith(message);
                        });
    }

    @Test
    @Tag("DR-39")
    void allowMultipleAllocationsNeedsItsFeature() {
        assertThatThrownBy(() -> new DeviceSelectors(false).of("device.allowMultipleAllocations"))
                .hasMessageContaining("undefined field 'allowMultipleAllocations'");
    }

    @Test
    @Tag("DR-39")
    void attributeOfAnUnknownSortIsAnError() throws Exception {
        var device = Device.of("d", Map.of("list", new DeviceAttribute.Unsupported()));
        var selector = selectors.of("true");
        assertThatThrownBy(() -> selector.matches(DRIVER, device))
                .hasMessage("attribute list: unsupported attribute value");
        var broken = Device.of("d", Map.of("v", new DeviceAttribute.Version("1.x")));
        assertThatThrownBy(() -> selector.matches(DRIVER, broken))
                .hasMessage(
                        "attribute v: parse semantic version: No Major.Minor.Patch elements found");
    }

    /// Costs as counted by hand from kube-scheduler's table.
    @Tag("DR-40")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | 0",
                "device.driver == 'gpu.example.com' | 4", // 2 + 15 letters
                "device.attributes['gpu.example.com'].healthy | 4",
                "has(device.attributes['gpu.example.com'].healthy) | 3",
                "device.attributes['gpu.example.com'].healthy && device.allowMultipleAllocations | 6",
                "[1, 2, 3] == [1, 2, 3] | 21",
                "device.driver.startsWith('gpu') | 4",
                "3 in [1, 2, 3] | 13",
                "true && 'model' in device.attributes['gpu.example.com'] | 4",
                "lists.range(30).size() == 30 | 43",
                "lists.range(30).sort().size() == 30 | 1854", // 41 + 11 + 2 * 30 * 30 + 2
                "lists.range(30).distinct().size() == 30 | 1854",
                "device.attributes.map(d, d).distinct().size() == 2 | 50", // 2 * 2 * 2.1
                "device.attributes.map(d, d).sortBy(d, size(d)).size() == 2 | 81", // 2 * 2 * 2
                "cel.bind(a, device.driver, a == 'x') | 4",
                "[device.driver].exists(d, d == 'x') | 19",
                "'%s on %s'.format([device.driver, device.driver]) == 'x' | 16", // 10 + 2 * 2 + 1
            })
    void costsAsCounted(String expression, long expected) throws Exception {
        var cost = new Cost();
        var _ = selectors.of(expression).compiled().matches(DRIVER, DEVICE, cost);
        assertThat(cost.spent()).isEqualTo(expected);
    }

    @Tag("DR-40")
    @Timeout(20)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c,"
                        + " a + b + c >= 0)))",
                "lists.range(1000000000).size() > 0",
                "lists.range(900000).distinct().size() > 0",
                "lists.range(30).map(i, lists.range(30)).flatten().distinct().size() > 0",
                "lists.range(30).map(i, lists.range(30)).flatten().sort().size() > 0",
                "lists.range(9000).sortBy(i, -i).size() > 0",
                "lists.range(700).sort() == [] || lists.range(700).sortBy(i, i) == []",
                "cel.bind(a, lists.range(900), cel.bind(b, a.map(x, a), cel.bind(c, a.map(x, b),"
                        + " '%s'.format([c]) != '')))",
                "cel.bind(a, lists.range(900), cel.bind(b, a.map(x, a), cel.bind(c, a.map(x, b),"
                        + " a.exists(x, '%s%d'.format([c, dyn('a')]) == ''))))",
                "cel.bind(a, lists.range(900), cel.bind(b, a.map(x, a), cel.bind(c, a.map(x, b),"
                        + " a.exists(x, c.flatten(9).size() < 0))))",
                "cel.bind(a, '9999999999', cel.bind(b, a.replace('9', a).replace('9', a)"
                        + ".replace('9', a), cel.bind(c, '%.' + b.replace('9', a) + 'q',"
                        + " lists.range(9000).exists(i, c.format([1]) == ''))))",
                "lists.range(9000).exists(i, '%.65535e%d'.format([1.0, dyn('a')]) == '')",
                "lists.range(90000).exists(i, lists.range(600).map(j, j < 599 ? dyn(j) :"
                        + " dyn('')).sort() == [])",
                "lists.range(90000).exists(i, '%.255f%.255f%.255f%f%f%f%e%e%e'.format([5e-324,"
                        + " 1e300, 2e-300, 5e-324, 1e300, 2e-300, 5e-324, 1e300, 2e-300]) == '')",
                "cel.bind(a, 'xxxxxxxxxxxxxxxx', cel.bind(b, a.replace('x', a), cel.bind(c,"
                        + " b.replace('x', b), cel.bind(d, c.replace('x', c), d.replace('x', d)"
                        + " != ''))))",
                "cel.bind(a, lists.range(900), cel.bind(b, a.map(x, a), cel.bind(c, a.map(x, b),"
                        + " a.map(x, c).flatten(9).size() > 0)))",
            })
    void hostileExpressionCostsItsLimitAndNoMore(String expression) {
        var failed = catchThrowableOfType(SelectorException.class, () -> matches(expression));
        assertThat(failed).isNotNull();
        assertThat(failed).hasMessage("operation cancelled: actual cost limit exceeded");
    }

    @Test
    @Tag("DR-40")
    void veryLongExpressionIsNotUnderstood() {
        assertThatThrownBy(() -> matches("'" + "x".repeat(10 * 1024) + "' == ''"))
                .hasMessageStartingWith("compilation failed:");
        assertThatThrownBy(() -> matches("(".repeat(5000) + "true" + ")".repeat(5000)))
                .hasMessageStartingWith("compilation failed:");
    }

    @Test
    void keepsTheMostRecentlyUsedAndNoMore() throws Exception {
        var few = new DeviceSelectors(true, 2);
        var first = few.of("true");
        var _ = few.of("false");
        assertThat(few.of("true")).isSameAs(first);
        var _ = few.of("1 == 1");
        assertThat(few.size()).isEqualTo(2);
        assertThat(few.of("true")).isSameAs(first);
        assertThatThrownBy(() -> few.of("nothing")).isInstanceOf(SelectorException.class);
        assertThatThrownBy(() -> few.of("nothing")).isInstanceOf(SelectorException.class);
        assertThat(few.size()).isEqualTo(2);
    }
}
