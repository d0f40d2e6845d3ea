package io.berth.kube.codec.wire;

import io.berth.api.amount.Quantity;
import io.berth.kube.codec.wire.Schema.Field;
import io.berth.kube.codec.wire.Schema.Form;
import io.berth.kube.codec.wire.Schema.Shape;
import io.berth.kube.protobuf.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An object in protobuf, in an array of bytes. What the schema does not name is passed over
/// without a look inside.
///
/// A message has no place for null, so what is absent is merely not there. Elements of a list and
/// entries of a map follow one another, as the API writes them.
public final class ProtobufInput extends ObjectInput {
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int SECONDS = 1;
    private static final int NANOS = 2;
    private static final int QUANTITY_TEXT = 1;
    private static final int RAW = 1;

    /// An object or map that was entered.
    private static final class Frame {
        Schema schema = NOTHING;
        int end;
        boolean inline;
        String name = "";

        /// The map that this frame steps through; null in one for an object.
        @Nullable Field map;

        /// The list or map being stepped through, and its number in the message.
        @Nullable Field repeated;

        int number;
        boolean first;

        /// Where the entry after the present one begins, in a frame for a map.
        int next;
    }

    private static final Schema NOTHING = new Schema();

    private final Fields fields = new Fields();
    private Frame[] frames = new Frame[0];
    private int depth;
    private Field current = root(NOTHING);
    private char[] chars = new char[256];

    public ProtobufInput(Shared shared) {
        super(shared);
    }

    private static Field root(Schema schema) {
        return new Field("(root)", Shape.SINGLE, Form.PLAIN, schema);
    }

    /// Goes to an object that has no envelope.
    public ProtobufInput reset(byte[] bytes, int from, int to, Schema schema) {
        fields.reset(bytes, from, to);
        fields.narrow(from, to);
        depth = 0;
        current = root(schema);
        return this;
    }

    @Override
    public boolean beginObject() {
        if (!fields.isBytes()) {
            throw wrongType("an object");
        }
        if (current.shape() == Shape.MAP) {
            int end = frames[depth - 1].end;
            var frame = push(NOTHING, end);
            frame.map = current;
            frame.number = fields.number();
            frame.first = true;
            return true;
        }
        var content = current.content();
        if (content == null) {
            throw wrongType("an object");
        }
        push(content, fields.to());
        fields.enter();
        return true;
    }

    private Frame push(Schema schema, int end) {
        if (depth == frames.length) {
            frames = java.util.Arrays.copyOf(frames, depth + 8);
            for (int i = depth; i < frames.length; i++) {
                frames[i] = new Frame();
            }
        }
        var frame = frames[depth++];
        frame.schema = schema;
        frame.end = end;
        frame.inline = false;
        frame.name = current.name();
        frame.map = null;
        frame.repeated = null;
        return frame;
    }

    private void pop() {
        depth--;
        if (depth > 0) {
            fields.resume(fields.place(), frames[depth - 1].end);
        }
    }

    @Override
    public boolean beginArray() {
        if (current.shape() != Shape.LIST) {
            throw wrongType("an array");
        }
        var frame = frames[depth - 1];
        frame.repeated = current;
        frame.number = fields.number();
        frame.first = true;
        return true;
    }

    @Override
    public boolean nextElement() throws IOException {
        var frame = frames[depth - 1];
        if (frame.first) {
            frame.first = false;
            return true;
        }
        current = Objects.requireNonNull(frame.repeated);
        return fields.nextIf(frame.number);
    }

    @Override
    public @Nullable String nextField() throws IOException {
        while (true) {
            var frame = frames[depth - 1];
            if (frame.map != null) {
                return nextEntry(frame, frame.map);
            }
            if (!fields.next()) {
                pop();
                if (frame.inline) {
                    continue;
                }
                return null;
            }
            var field = frame.schema.field(fields.number());
            if (field == null) {
                continue;
            }
            current = field;
            if (field.shape() == Shape.INLINE) {
                beginObject();
                frames[depth - 1].inline = true;
                continue;
            }
            return field.name();
        }
    }

    /// Goes to the value of the map's next entry.
    private @Nullable String nextEntry(Frame frame, Field map) throws IOException {
        if (frame.first) {
            frame.first = false;
        } else {
            fields.resume(frame.next, frame.end);
            if (!fields.nextIf(frame.number)) {
                pop();
                return null;
            }
        }
        current = map;
        requireBytes("an entry");
        int after = fields.place();
        frame.next = after;
        String key = "";
        int from = after;
        int to = after;
        fields.enter();
        while (fields.next()) {
            if (fields.number() == KEY && fields.isBytes()) {
                key = decodeShared();
            } else if (fields.number() == VALUE && fields.isBytes()) {
                from = fields.from();
                to = fields.to();
            }
        }
        fields.resume(after, frame.end);
        fields.narrow(from, to);
        current = map.value();
        return key;
    }

    @Override
    public void skip() {
        // The next step begins behind the present value.
    }

    @Override
    public boolean isNull() {
        return false;
    }

    @Override
    public String text() {
        requireBytes("a string");
        return fields.from() == fields.to() ? "" : fields.text();
    }

    @Override
    public String sharedText() {
        requireBytes("a string");
        return decodeShared();
    }

    private String decodeShared() {
        int length = decode(); // which may exchange the buffer
        return shared().string(chars, 0, length);
    }

    /// Puts the characters of the present text into the buffer and returns their number.
    private int decode() {
        byte[] bytes = fields.bytes();
        int from = fields.from();
        int length = fields.to() - from;
        if (length > chars.length) {
            chars = new char[2 * length];
        }
        for (int i = 0; i < length; i++) {
            byte next = bytes[from + i];
            if (next < 0) {
                String text = new String(bytes, from, length, StandardCharsets.UTF_8);
                text.getChars(0, text.length(), chars, 0);
                return text.length();
            }
            chars[i] = (char) next;
        }
        return length;
    }

    @Override
    public boolean flag() {
        requireNumber("a boolean");
        return fields.value() != 0;
    }

    @Override
    public long number() {
        requireNumber("an integer");
        return fields.value();
    }

    @Override
    public @Nullable Instant time() throws IOException {
        requireBytes("a time");
        int after = fields.place();
        long seconds = 0;
        long nanos = 0;
        boolean any = false;
        fields.enter();
        while (fields.next()) {
            any = true;
            if (fields.number() == SECONDS) {
                seconds = fields.value();
            } else if (fields.number() == NANOS) {
                nanos = fields.value();
            }
        }
        fields.resume(after, frames[depth - 1].end);
        try {
            return any ? Instant.ofEpochSecond(seconds, nanos) : null;
        } catch (DateTimeException | ArithmeticException far) {
            throw wrongType("a time");
        }
    }

    @Override
    public Quantity quantity() throws IOException {
        requireBytes("a quantity");
        int after = fields.place();
        int length = 0;
        fields.enter();
        while (fields.next()) {
            if (fields.number() == QUANTITY_TEXT && fields.isBytes()) {
                length = decode();
            }
        }
        fields.resume(after, frames[depth - 1].end);
        try {
            return length == 0 ? Quantity.ZERO : shared().quantity(chars, 0, length);
        } catch (IllegalArgumentException malformed) {
            throw wrongType("a quantity");
        }
    }

    @Override
    public String json() throws IOException {
        requireBytes("an object");
        int after = fields.place();
        String text = "";
        fields.enter();
        while (fields.next()) {
            if (fields.number() == RAW && fields.isBytes()) {
                text = fields.text();
            }
        }
        fields.resume(after, frames[depth - 1].end);
        return text;
    }

    private void requireBytes(String wanted) {
        if (!fields.isBytes()) {
            throw wrongType(wanted);
        }
    }

    private void requireNumber(String wanted) {
        if (fields.isBytes()) {
            throw wrongType(wanted);
        }
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public void leave(int outer) {
        var frame = frames[outer];
        depth = outer;
        fields.resume(frame.end, depth == 0 ? frame.end : frames[depth - 1].end);
    }

    @Override
    public UnreadableException wrongType(String wanted) {
        var path = new StringBuilder();
        for (int i = 1; i < depth; i++) {
            path.append(frames[i].name).append('.');
        }
        path.append(current.name());
        return new UnreadableException(path + ": expected " + wanted);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
