package io.berth.kube.connection;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What clients of the API server count and time (`rest_client_*`). From any thread;
/// implementations must not block.
public interface ClientMetrics {
    ClientMetrics NONE = new ClientMetrics() {};

    /// Stands for the status of an exchange that got no answer.
    String NO_ANSWER = "<error>";

    /// Where requests go.
    ///
    /// @param verb such as `GET`
    /// @param host with its port
    record Target(String verb, String host) {
        // By hand, since several are looked up for each request, and what the JDK makes for records
        // is slow until the second compiler has seen it.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Target(var itsVerb, var itsHost)
                    && verb.equals(itsVerb)
                    && host.equals(itsHost);
        }

        @Override
        public int hashCode() {
            return 31 * verb.hashCode() + host.hashCode();
        }
    }

    /// One exchange is over; a request that is retried makes several.
    ///
    /// @param code the status, or [#NO_ANSWER]
    default void exchanged(Target target, String code) {}

    /// A request is over, with all its retries.
    default void requested(Target target, long nanos) {}

    /// How much was sent and received; for answers that are read as a whole.
    default void transferred(Target target, long sentBytes, long receivedBytes) {}

    /// A request waited for its turn.
    default void limited(Target target, long nanos) {}

    /// A request is sent again because the server asked for it.
    default void retried(Target target, String code) {}

    /// A client with connections of its own was made, or closed.
    default void transports(int delta) {}

    /// What running a credential program came to.
    enum ExecOutcome {
        NO_ERROR("no_error"),
        FAILED("plugin_execution_error"),
        NOT_FOUND("plugin_not_found_error"),
        INTERNAL("client_internal_error");

        private final String text;

        ExecOutcome(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// A credential program ran.
    ///
    /// @param code its exit status, 1 where there is none
    default void execRan(int code, ExecOutcome outcome) {}

    /// A credential program gave a certificate.
    ///
    /// @param expiresAt null where that is not known
    /// @param replacedAge how old the one before it was; null for the first
    default void execCertificate(@Nullable Instant expiresAt, @Nullable Duration replacedAge) {}
}
