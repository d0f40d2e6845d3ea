package io.berth.sim.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceClaim.Constraint;
import io.berth.api.device.DeviceClaim.Request;
import io.berth.api.device.DeviceToleration;
import io.berth.sim.plain.PlainSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What simulated claims ask for, by name.
public final class ClaimShapes {
    public static final String GPU = "gpu";
    public static final String PART = "part";
    public static final String LINK = "link";

    static final String TAINT = "worn";
    static final String BANDWIDTH = "bandwidth";

    private static final Map<String, DeviceClaim> ALL =
            Map.ofEntries(
                    Map.entry("one", claim(exactly("r", ask(GPU, 1)))),
                    Map.entry("pair", onOneBoard(exactly("r", ask(GPU, 2)))),
                    Map.entry(
                            "apart",
                            onTwoBoards(exactly("a", ask(GPU, 1)), exactly("b", ask(GPU, 1)))),
                    Map.entry("big", claim(exactly("r", selecting(PlainSelector.BIG, 1)))),
                    Map.entry("all", claim(exactly("r", everyOne()))),
                    Map.entry(
                            "either",
                            claim(
                                    new Request(
                                            "r",
                                            null,
                                            List.of(
                                                    named("best", selecting(PlainSelector.BIG, 2)),
                                                    named("good", ask(GPU, 2)),
                                                    named("poor", ask(PART, 1)))))),
                    Map.entry("part", claim(exactly("r", ask(PART, 1)))),
                    Map.entry("half", claim(exactly("r", half()))),
                    Map.entry("mixed", claim(exactly("a", half()), exactly("b", ask(GPU, 1)))),
                    Map.entry("link", claim(exactly("r", sharing(4)))),
                    Map.entry("wide", claim(exactly("r", sharing(7)))),
                    Map.entry("whole", claim(exactly("r", ask(LINK, 1)))),
                    Map.entry("careless", claim(exactly("r", tolerant()))),
                    Map.entry("admin", claim(exactly("r", admin()))));

    /// In order, so that chance chooses the same every time.
    public static final List<String> NAMES = ALL.keySet().stream().sorted().toList();

    private ClaimShapes() {}

    public static DeviceClaim of(String name) {
        var claim = ALL.get(name);
        if (claim == null) {
            throw new IllegalArgumentException("no shape " + name);
        }
        return claim;
    }

    /// The same of another class, for shapes whose requests leave no choice.
    public static DeviceClaim of(String name, String deviceClass) {
        var shape = of(name);
        return new DeviceClaim(
                shape.requests().stream()
                        .map(request ->
                                exactly(request.name(), ofClass(request.exactly(), deviceClass)))
                        .toList(),
                shape.constraints(),
                shape.config());
    }

    private static Ask ofClass(@Nullable Ask ask, String deviceClass) {
        if (ask == null) {
            throw new IllegalArgumentException("there is a choice");
        }
        return new Ask(
                ask.name(),
                deviceClass,
                ask.selectors(),
                ask.mode(),
                ask.count(),
                ask.adminAccess(),
                ask.tolerations(),
                ask.capacity());
    }

    private static DeviceClaim claim(Request... requests) {
        return new DeviceClaim(List.of(requests), List.of(), List.of());
    }

    private static DeviceClaim onOneBoard(Request... requests) {
        return new DeviceClaim(
                List.of(requests),
                List.of(new Constraint(List.of(), "gpu.sim/board", null)),
                List.of());
    }

    private static DeviceClaim onTwoBoards(Request... requests) {
        return new DeviceClaim(
                List.of(requests),
                List.of(new Constraint(List.of(), null, "gpu.sim/board")),
                List.of());
    }

    private static Request exactly(String name, Ask ask) {
        return new Request(name, named(name, ask), List.of());
    }

    private static Ask named(String name, Ask ask) {
        return new Ask(
                name,
                ask.deviceClass(),
                ask.selectors(),
                ask.mode(),
                ask.count(),
                ask.adminAccess(),
                ask.tolerations(),
                ask.capacity());
    }

    private static Ask ask(String deviceClass, long count) {
        return new Ask("", deviceClass, List.of(), Ask.EXACT_COUNT, count, null, List.of(), null);
    }

    private static Ask selecting(PlainSelector selector, long count) {
        return new Ask(
                "",
                GPU,
                List.of(selector.expression()),
                Ask.EXACT_COUNT,
                count,
                null,
                List.of(),
                null);
    }

    private static Ask half() {
        return new Ask(
                "",
                PART,
                List.of(PlainSelector.HALF.expression()),
                Ask.EXACT_COUNT,
                1,
                null,
                List.of(),
                null);
    }

    private static Ask everyOne() {
        return new Ask(
                "",
                GPU,
                List.of(PlainSelector.FIRST_BOARD.expression()),
                Ask.ALL,
                0,
                null,
                List.of(),
                null);
    }

    private static Ask sharing(int amount) {
        return new Ask(
                "",
                LINK,
                List.of(),
                Ask.EXACT_COUNT,
                1,
                null,
                List.of(),
                Map.of(BANDWIDTH, Quantity.of(amount)));
    }

    private static Ask tolerant() {
        return new Ask(
                "",
                GPU,
                List.of(),
                Ask.EXACT_COUNT,
                1,
                null,
                List.of(new DeviceToleration(TAINT, "Exists", "", "", null)),
                null);
    }

    private static Ask admin() {
        return new Ask("", GPU, List.of(), Ask.EXACT_COUNT, 1, true, List.of(), null);
    }
}
