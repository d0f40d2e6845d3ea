package io.berth.kube.protobuf;

/// How the API wraps an object: four bytes, and a message that tells the kind and holds the object.
public final class Envelope {
    public static final int MAGIC_LENGTH = Integer.BYTES;

    /// The number of the field that holds the object.
    public static final int OBJECT = 2;

    private Envelope() {}

    /// What an object begins with.
    public static byte[] magic() {
        return new byte[] {'k', '8', 's', 0};
    }

    public static boolean isMagic(byte[] bytes, int from) {
        return bytes.length >= from + MAGIC_LENGTH
                && bytes[from] == 'k'
                && bytes[from + 1] == '8'
                && bytes[from + 2] == 's'
                && bytes[from + 3] == 0;
    }

    /// Goes from bytes with an envelope in them to before the first field of the object.
    public static void open(Fields fields, byte[] bytes, int from, int to)
            throws ProtobufException {
        if (to - from < MAGIC_LENGTH || !isMagic(bytes, from)) {
            throw new ProtobufException("no object of the API");
        }
        fields.reset(bytes, from + MAGIC_LENGTH, to);
        while (fields.next()) {
            if (fields.number() == OBJECT && fields.isBytes()) {
                fields.enter();
                return;
            }
        }
        // An object without any field is written as none.
        fields.reset(bytes, to, to);
    }
}
