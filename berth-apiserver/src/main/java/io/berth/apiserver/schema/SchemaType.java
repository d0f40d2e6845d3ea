package io.berth.apiserver.schema;

/// The type of a field: a leaf, a list, a map with string keys, or a struct with named fields.
public sealed interface SchemaType
        permits SchemaType.Scalar, SchemaType.ListOf, SchemaType.MapOf, StructType {

    /// A leaf value, named as the schema files name it.
    enum Scalar implements SchemaType {
        STRING("string"),
        BOOLEAN("boolean"),
        INT32("int32"),
        INT64("int64"),
        DOUBLE("double"),
        QUANTITY("quantity"),
        INT_OR_STRING("intOrString"),
        TIME("time"),
        MICRO_TIME("microTime"),
        BYTES("bytes"),
        /// Anything, taken as it is.
        ANY("any");

        final String word;

        Scalar(String word) {
            this.word = word;
        }
    }

    record ListOf(SchemaType items) implements SchemaType {}

    record MapOf(SchemaType values) implements SchemaType {}
}
