package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.up.Snapshot.Amounts;
import io.berth.up.Snapshot.NodeUse;
import io.berth.up.Snapshot.PendingPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenLayoutTest {
    private static final long GIB = 1L << 30;
    private static final List<String> HEADER = List.of("Title", "  how to go on");
    private static final Amounts ROOM = new Amounts(4000, 16 * GIB, 110);

    @Test
    void nodeShowsItsUseAsBarsAndNumbers() {
        List<String> screen = draw(100, 20, nodes(1, 1000, 4 * GIB, 55), List.of(), List.of());
        assertThat(screen)
                .contains(
                        "node-1  zone-a"
                                + ("  cpu " + bar(4, 12) + " 1/4")
                                + ("  mem " + bar(4, 12) + " 4/16Gi")
                                + ("  pods " + bar(8, 8) + " 55/110"));
    }

    @Test
    void smallUseShowsAtLeastOneMark() {
        List<String> screen = draw(100, 20, nodes(1, 1, 1, 1), List.of(), List.of());
        assertThat(screen.get(4)).contains("cpu #.").contains("mem #.").contains("pods #.");
    }

    @Test
    void overfullNodeFillsItsBarAndNoMore() {
        List<String> screen = draw(100, 20, nodes(1, 9000, 99 * GIB, 500), List.of(), List.of());
        assertThat(screen.get(4)).hasSizeLessThanOrEqualTo(100).contains("9/4", "500/110");
    }

    @Test
    void nodeWithoutRoomIsDrawnEmpty() {
        var node = new NodeUse("bare", "", false, Amounts.NONE, Amounts.NONE);
        assertThat(draw(80, 20, List.of(node), List.of(), List.of()).get(4)).contains("0/0");
    }

    @Test
    void cordonedNodeIsMarked() {
        var node = new NodeUse("n", "", true, Amounts.NONE, ROOM);
        assertThat(draw(70, 20, List.of(node), List.of(), List.of()).get(4)).endsWith("  cordoned");
    }

    @Test
    void pendingPodsComeWithTheirReason() {
        var pending =
                List.of(new PendingPod("demo/big", "0/1 nodes"), new PendingPod("demo/new", ""));
        assertThat(draw(80, 30, nodes(1, 0, 0, 0), pending, List.of()))
                .containsSequence("Pending", "demo/big  0/1 nodes", "demo/new  waits for its turn");
    }

    @Test
    void manyPendingPodsAreCounted() {
        var pending = new ArrayList<PendingPod>();
        IntStream.range(0, 50).forEach(i -> pending.add(new PendingPod("demo/p" + i, "full")));
        assertThat(draw(80, 40, nodes(1, 0, 0, 0), pending, List.of()))
                .containsSequence("demo/p6  full", "... and 43 more pods");
    }

    @Test
    void manyNodesAreSummedUp() {
        List<String> screen = draw(100, 20, nodes(1000, 1000, GIB, 1), List.of(), List.of());
        assertThat(screen)
                .anyMatch(line -> line.startsWith("all nodes") && line.contains("1000/4000"));
        assertThat(screen).anyMatch(line -> line.matches("\\.\\.\\. and 9[0-9][0-9] more nodes"));
    }

    @Test
    void latestPlacementsKeepTheLastOnes() {
        var recent = IntStream.range(0, 30).mapToObj(i -> "demo/p" + i + " -> n").toList();
        assertThat(draw(80, 40, nodes(2, 0, 0, 0), List.of(), recent))
                .containsSequence("Latest placements", "demo/p22 -> n")
                .containsSequence("demo/p29 -> n", "");
    }

    @Test
    void summaryCountsPods() {
        assertThat(draw(120, 20, nodes(3, 0, 0, 0), List.of(new PendingPod("a/b", "")), List.of()))
                .contains(
                        "3 nodes - 7 pods - 5 running - 1 pending - 6 placed - the first 1.5 s after the start");
    }

    @ParameterizedTest
    @CsvSource({
        "1,1", "5,3", "20,5", "40,10", "60,15", "79,24", "80,24", "81,24", "100,30", "130,40",
        "200,60", "300,8"
    })
    void everySizeHoldsThePicture(int width, int height) {
        var pending = new ArrayList<PendingPod>();
        IntStream.range(0, 20)
                .forEach(i -> pending.add(new PendingPod("demo/p" + i, "a reason ".repeat(40))));
        var recent = IntStream.range(0, 30).mapToObj(i -> "demo/p" + i + " -> node").toList();
        for (int count : new int[] {0, 1, 8, 500}) {
            List<String> screen =
                    draw(width, height, nodes(count, 1234, 5 * GIB, 17), pending, recent);
            assertThat(screen).hasSizeLessThanOrEqualTo(height);
            assertThat(screen).allMatch(line -> line.length() <= width);
        }
    }

    @Test
    void screenIsFilledToItsLastLine() {
        List<String> screen = draw(80, 24, nodes(3, 0, 0, 0), List.of(), List.of());
        assertThat(screen).hasSize(24);
        assertThat(screen.getLast()).startsWith("Ctrl-C");
    }

    @Test
    void emptyClusterIsDrawn() {
        assertThat(draw(80, 24, List.of(), List.of(), List.of()).get(3)).startsWith("0 nodes");
    }

    private static String bar(int full, int empty) {
        return "#".repeat(full) + ".".repeat(empty);
    }

    private static List<NodeUse> nodes(int count, long cpuMillis, long memoryBytes, long pods) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i ->
                        new NodeUse(
                                "node-" + i,
                                "zone-a",
                                false,
                                new Amounts(cpuMillis, memoryBytes, pods),
                                ROOM))
                .toList();
    }

    private static List<String> draw(
            int width,
            int height,
            List<NodeUse> nodes,
            List<PendingPod> pending,
            List<String> recent) {
        var counts = new Snapshot.Counts(7, 5, pending.size(), 6, Duration.ofMillis(1500));
        return new ScreenLayout(width, height, ScreenLayout.Signs.ASCII)
                .draw(HEADER, new Snapshot(nodes, pending, recent, counts)).stream()
                        .map(Line::plain)
                        .toList();
    }
}
