package io.berth.apiserver.store;

/// Where an object is kept within its type: `namespace/name`, or `name` for cluster objects. Plain
/// text, because its order is the order of lists.
public final class ObjectPath {
    private ObjectPath() {}

    public static String of(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /// The prefix of every path in a namespace; empty, and so a prefix of all, for all namespaces.
    public static String prefix(String namespace) {
        return namespace.isEmpty() ? "" : namespace + "/";
    }
}
