package io.berth.kube.read;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.config.text.ObjectStream;
import io.berth.config.text.SmallFiles;
import io.berth.config.text.TextException;
import io.berth.kube.codec.AnyReader;
import io.berth.kube.codec.AnyReader.TypeMeta;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/// What files of `kubectl get … -o yaml|json` hold, of the kinds that scheduling reads. Other kinds
/// are passed over and counted; of an object that is there twice the last one counts.
public final class Dump {
    /// Beyond this, whoever made it has dumped more than nodes and pods.
    private static final long MOST_BYTES = 2L << 30;

    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
    private static final int DEEPEST = 8;
    private static final int PROGRESS_STEP = 500;

    private final Map<String, ClusterObject> objects = new LinkedHashMap<>();
    private final Map<String, Integer> passedOver = new TreeMap<>();
    private final List<byte[]> priorityClasses = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final AnyReader reader = new AnyReader();
    private final IntConsumer progress;
    private int count;
    private int listsWithoutKind;

    private Dump(IntConsumer progress) {
        this.progress = progress;
    }

    /// Reads a file, or all files with such endings in a folder.
    ///
    /// @param progress told now and then how many objects have been read
    /// @throws IOException where something cannot be read or understood; the message says where
    public static Dump read(Path path, IntConsumer progress) throws IOException {
        var dump = new Dump(progress);
        if (!Files.exists(path)) {
            throw new IOException("open " + path + ": no such file or directory");
        }
        if (Files.isDirectory(path)) {
            dump.readAll(path);
        } else {
            dump.readFile(path);
        }
        return dump;
    }

    /// Reads what comes through a pipe.
    public static Dump read(InputStream in, String name, IntConsumer progress) throws IOException {
        var dump = new Dump(progress);
        dump.readStream(in, name);
        return dump;
    }

    private void readAll(Path folder) throws IOException {
        List<Path> files;
        try (var all = Files.walk(folder, DEEPEST)) {
            files = all.filter(Dump::isDump).sorted().toList();
        } catch (UncheckedIOException closed) {
            var which =
                    closed.getCause() instanceof FileSystemException denied
                            ? denied.getFile()
                            : folder.toString();
            throw new IOException("cannot look into " + which, closed);
        }
        if (files.isEmpty()) {
            throw new IOException(
                    folder + " has no files that end with " + String.join(", ", ENDINGS));
        }
        for (var file : files) {
            readFile(file);
        }
    }

    private static boolean isDump(Path file) {
        var name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return Files.isRegularFile(file) && ENDINGS.stream().anyMatch(name::endsWith);
    }

    private void readFile(Path file) throws IOException {
        try (var in = SmallFiles.open(file, MOST_BYTES)) {
            readStream(in, file.toString());
        }
    }

    private void readStream(InputStream in, String name) throws IOException {
        try {
            ObjectStream.read(in, new Objects());
        } catch (TextException broken) {
            throw new IOException(name + ": " + broken.sentence(), broken);
        } catch (IOException broken) {
            throw new IOException(name + ": " + broken.getMessage(), broken);
        }
    }

    private final class Objects implements ObjectStream.Sink {
        @Override
        public void object(byte[] json, String listKind) throws IOException {
            add(json, listKind);
        }

        @Override
        public void listEnd(String kind) {
            listsWithoutKind += kind.isEmpty() ? 1 : 0;
        }
    }

    private void add(byte[] json, String listKind) throws IOException {
        var type = reader.typeOf(json);
        if (type.kind().isEmpty() && listKind.endsWith("List")) {
            type = new TypeMeta(type.group(), listKind.substring(0, listKind.length() - 4));
        }
        var kind = type.known();
        if (kind.isPresent()) {
            keep(json, kind.get());
        } else if (type.kind().equals("PriorityClass")) {
            priorityClasses.add(json);
        } else {
            passedOver.merge(type.kind().isEmpty() ? "(no kind)" : type.kind(), 1, Integer::sum);
        }
        if (++count % PROGRESS_STEP == 0) {
            progress.accept(count);
        }
    }

    private void keep(byte[] json, Kind kind) throws IOException {
        var object = reader.read(json, kind);
        if (object.isEmpty() || object.get().name().isEmpty()) {
            unreadable.add(kind.plural());
        } else {
            objects.put(kind + " " + object.get().key(), object.get());
        }
    }

    public List<ClusterObject> objects() {
        return List.copyOf(objects.values());
    }

    /// How many objects of other kinds there are, by kind.
    public Map<String, Integer> passedOver() {
        return Map.copyOf(passedOver);
    }

    /// Priority classes, as JSON.
    public List<byte[]> priorityClasses() {
        return List.copyOf(priorityClasses);
    }

    /// Of which kinds objects could not be read, one entry for each.
    public List<String> unreadable() {
        return List.copyOf(unreadable);
    }

    /// How many lists do not say their kind, as those that were cut off.
    public int listsWithoutKind() {
        return listsWithoutKind;
    }
}
