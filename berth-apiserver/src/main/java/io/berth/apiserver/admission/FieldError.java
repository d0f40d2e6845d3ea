package io.berth.apiserver.admission;

/// One thing wrong with an object: where, what kind, and the words for the user. The server turns a
/// list of them into a `Status` with causes.
///
/// @param field the path, such as `spec.containers[0].name`
/// @param message the words without the path, such as `Required value`
public record FieldError(String field, Reason reason, String message) {

    /// The kinds of field errors, named as the causes of a `Status` name them.
    public enum Reason {
        REQUIRED("FieldValueRequired"),
        INVALID("FieldValueInvalid"),
        NOT_SUPPORTED("FieldValueNotSupported"),
        DUPLICATE("FieldValueDuplicate"),
        FORBIDDEN("FieldValueForbidden"),
        TOO_LONG("FieldValueTooLong"),
        TOO_MANY("FieldValueTooMany"),
        NOT_FOUND("FieldValueNotFound");

        private final String code;

        Reason(String code) {
            this.code = code;
        }

        /// The value of `reason` in a cause.
        public String code() {
            return code;
        }
    }

    /// Path and message as one text.
    @Override
    public String toString() {
        return field + ": " + message;
    }
}
