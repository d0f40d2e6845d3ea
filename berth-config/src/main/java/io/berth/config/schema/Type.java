package io.berth.config.schema;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What a field may hold. Names are those of the Go types, since error messages show them.
public sealed interface Type {
    String goName();

    /// A single value.
    record Scalar(String goName, Kind kind) implements Type {}

    enum Kind {
        STRING,
        BOOL,
        INT32,
        INT64,
        FLOAT32,
        DURATION,
        BYTES
    }

    /// Anything at all; looked at later, by whoever knows more.
    record Raw() implements Type {
        @Override
        public String goName() {
            return "runtime.RawExtension";
        }
    }

    record ListOf(Type element) implements Type {
        @Override
        public String goName() {
            return "[]" + element.goName();
        }
    }

    record MapOf(Type element) implements Type {
        @Override
        public String goName() {
            return "map[string]" + element.goName();
        }
    }

    /// An object.
    ///
    /// @param fields in the order of the Go type
    /// @param always fields that are written even where they are empty
    record Struct(String goName, Map<String, Type> fields, Set<String> always) implements Type {
        public Struct {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            always = Set.copyOf(always);
        }

        /// The name without its package.
        String simpleName() {
            return goName.substring(goName.lastIndexOf('.') + 1);
        }

        /// The same with one more field.
        Struct and(String name, Type type) {
            var more = new LinkedHashMap<>(fields);
            more.put(name, type);
            return new Struct(goName, more, always);
        }

        /// The same with one more field that is always written.
        Struct always(String name, Type type) {
            var more = new HashSet<>(always);
            more.add(name);
            var struct = and(name, type);
            return new Struct(goName, struct.fields, more);
        }

        Struct without(String... names) {
            var fewer = new LinkedHashMap<>(fields);
            for (var name : names) {
                fewer.remove(name);
            }
            return new Struct(goName, fewer, always);
        }
    }

    Scalar STRING = new Scalar("string", Kind.STRING);
    Scalar BOOL = new Scalar("bool", Kind.BOOL);
    Scalar INT32 = new Scalar("int32", Kind.INT32);
    Scalar INT64 = new Scalar("int64", Kind.INT64);
    Scalar FLOAT32 = new Scalar("float32", Kind.FLOAT32);
    Scalar DURATION = new Scalar("string", Kind.DURATION);
    Scalar BYTES = new Scalar("[]uint8", Kind.BYTES);
    Raw RAW = new Raw();
    ListOf STRINGS = new ListOf(STRING);

    static Scalar named(String goName) {
        return new Scalar(goName, Kind.STRING);
    }

    static Struct struct(String goName) {
        return new Struct(goName, Map.of(), Set.of());
    }
}
