package io.berth.ui;

import io.berth.api.model.Pod;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.Question;
import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// The nodes as columns of bytes, one node in words, and what all of them are to one pod.
///
/// A reply in columns begins with the length of a head (four bytes, the lowest first) and the head
/// in JSON, which names the columns and how many bytes each node has in them; the columns follow in
/// that order.
final class MapPage implements Endpoint {
    static final String MAP = "/berth/v1/map";
    static final String NODE = "/berth/v1/map/node";
    static final String VERDICTS = "/berth/v1/map/verdicts";

    /// A node that was not asked about, since a plugin named others.
    static final int LEFT_OUT = 255;

    private static final int BYTES_PER_NODE = 9;
    private static final int MOST_GROUPS = 200;
    private static final int MOST_PODS = 40;

    private final Sight sight;
    private final Studies studies;

    MapPage(Sight sight, Studies studies) {
        this.sight = sight;
        this.studies = studies;
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("GET")) {
            return Reply.error(405, "method not allowed: the map is read with GET");
        }
        Picture picture;
        try {
            picture = sight.fresh();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return Reply.error(503, "the port closes").asExpected();
        }
        if (picture.image() == null) {
            return Reply.error(503, picture.problem()).asExpected();
        }
        return switch (call.path()) {
            case MAP -> whole(picture.map());
            case NODE -> node(picture, call);
            default -> verdicts(picture.map(), call);
        };
    }

    private static Reply whole(NodeMap map) {
        var head =
                new FieldsBuilder()
                        .put("generation", map.generation)
                        .put("version", map.version)
                        .put("count", map.size())
                        .put("zones", texts(map.zones))
                        .put("pools", texts(map.pools))
                        .put(
                                "columns",
                                new FieldsBuilder()
                                        .put("zone", 2)
                                        .put("pool", 2)
                                        .put("cpu", 1)
                                        .put("memory", 1)
                                        .put("pods", 1)
                                        .put("devices", 1)
                                        .put("state", 1)
                                        .build())
                        .build();
        var out = begin(head, map.size() * BYTES_PER_NODE);
        for (short zone : map.zone) {
            out.putShort(zone);
        }
        for (short pool : map.pool) {
            out.putShort(pool);
        }
        out.put(map.cpu).put(map.memory).put(map.pods).put(map.devices).put(map.state);
        return columns(out);
    }

    private static ByteBuffer begin(Value head, int bytes) {
        var text = JsonWriter.write(head).getBytes(StandardCharsets.UTF_8);
        // So that columns of two bytes begin where browsers can look at them in place.
        int padded = (text.length + 3) / 4 * 4;
        var out = ByteBuffer.allocate(4 + padded + bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(padded).put(text);
        while (out.position() < 4 + padded) {
            out.put((byte) ' ');
        }
        return out;
    }

    private static Reply columns(ByteBuffer out) {
        var bytes = new byte[out.capacity()];
        out.rewind().get(bytes);
        return Reply.of(200, "application/octet-stream", bytes)
                .noSniffing()
                .with("Cache-Control", "no-store");
    }

    private static Reply node(Picture picture, Call call) {
        var map = picture.map();
        int slot;
        try {
            slot = Integer.parseInt(call.parameter("slot"));
        } catch (NumberFormatException noNumber) {
            return Reply.error(400, "slot must be a whole number");
        }
        var image = picture.image();
        if (slot < 0 || slot >= map.size() || image == null) {
            return Reply.error(404, "there is no such node");
        }
        var name = map.names[slot];
        var found = image.nodes().stream().filter(one -> one.name().equals(name)).findFirst();
        if (found.isEmpty()) {
            return Reply.error(404, "there is no such node");
        }
        var node = found.get();
        long cpu = 0;
        long memory = 0;
        var pods = new ArrayList<Pod>();
        for (var pod : image.pods()) {
            if (pod.nodeName().equals(name) && !pod.isTerminal()) {
                cpu += pod.requests().exact().cpuMillis();
                memory += pod.requests().exact().memoryBytes();
                pods.add(pod);
            }
        }
        pods.sort(Comparator.comparingLong(pod -> -pod.requests().exact().cpuMillis()));
        var room = node.allocatable();
        return json(
                new FieldsBuilder()
                        .put("name", name)
                        .putIfSet("zone", NodeMap.zone(node))
                        .putIfSet("pool", NodeMap.pool(node))
                        .putIfSet("cordoned", node.unschedulable())
                        .put(
                                "taints",
                                texts(
                                        node.taints().stream()
                                                .map(taint ->
                                                        taint.key()
                                                                + (taint.value().isEmpty()
                                                                        ? ""
                                                                        : "=" + taint.value())
                                                                + ":"
                                                                + taint.effect())
                                                .toList()))
                        .put("cpu", use(cpu, room.cpuMillis()))
                        .put("memory", use(memory, room.memoryBytes()))
                        .put("pods", use(pods.size(), room.pods()))
                        .put("devices", devices(image, name))
                        .put("names", texts(pods.stream().limit(MOST_PODS).map(Pod::key).toList()))
                        .build());
    }

    private static Value devices(ClusterImage image, String node) {
        var uses = new FieldsBuilder();
        NodeDevices.of(image)
                .of(node)
                .forEach((name, use) -> uses.put(name, use(use.used(), use.room())));
        return uses.build();
    }

    private static Value use(long used, long room) {
        return new FieldsBuilder().put("used", used).put("room", room).build();
    }

    /// Each node's group, from 1 on; 0 for nodes that can take the pod.
    private Reply verdicts(NodeMap map, Call call) {
        var key = call.parameter("pod");
        var column = new byte[map.size()];
        Arrays.fill(column, (byte) LEFT_OUT);
        return Answers.of(() ->
                studies.ask(key, study -> study.pod(key).map(pod -> judge(study, pod, map, column)))
                        .map(head -> {
                            var out = begin(head, column.length);
                            return columns(out.put(column));
                        })
                        .orElseGet(() -> Reply.error(404, "there is no such pod")));
    }

    private static Value judge(ClusterStudy study, Pod pod, NodeMap map, byte[] column) {
        var told = study.explain(pod, new Question(List.of(), true, 0, false));
        var numbers = new LinkedHashMap<String, Integer>();
        var groups = new ArrayList<Group>();
        int feasible = 0;
        for (var row : told.nodes()) {
            var slot = map.slot(row.node().name());
            if (row.node().isFeasible()) {
                feasible++;
            }
            if (slot == null || row.node().isLeftOut()) {
                continue;
            }
            if (row.node().isFeasible()) {
                column[slot] = 0;
                continue;
            }
            var filters = String.join(", ", row.details().stream().map(d -> d.plugin()).toList());
            int number =
                    numbers.computeIfAbsent(
                            filters, _ -> Math.min(numbers.size() + 1, MOST_GROUPS));
            if (number > groups.size()) {
                groups.add(
                        new Group(
                                row.details().size(),
                                filters,
                                text(row.details().stream().map(d -> d.text()).toList())));
            }
            groups.get(number - 1).count++;
            column[slot] = (byte) number;
        }
        return new FieldsBuilder()
                .put("generation", map.generation)
                .put("pod", pod.key())
                .putIfSet("node", pod.nodeName())
                .put("feasible", feasible)
                .put("count", map.size())
                .put("groups", Value.of(groups.stream().map(Group::json).toList()))
                .build();
    }

    private static String text(List<String> details) {
        return String.join("; ", details);
    }

    private static final class Group {
        private final int reasons;
        private final String filters;
        private final String example;
        private int count;

        Group(int reasons, String filters, String example) {
            this.reasons = reasons;
            this.filters = filters;
            this.example = example;
        }

        Value json() {
            return new FieldsBuilder()
                    .put("count", count)
                    .put("reasons", reasons)
                    .put("filters", filters)
                    .put("example", example)
                    .build();
        }
    }

    static Reply json(Value value) {
        return Reply.of(200, "application/json", JsonWriter.line(value)).noSniffing();
    }

    private static Value texts(List<String> texts) {
        return Value.of(texts.stream().map(Value::of).toList());
    }
}
