package io.berth.serving.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.serving.http.Call;
import io.berth.serving.http.Cbor;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.MediaType;
import io.berth.serving.http.Reply;
import io.berth.serving.http.StatusReply;
import io.berth.serving.http.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// A page about the process itself: prose for people, and an object of the group `config.k8s.io`
/// for programs that ask for its kind by name.
///
/// The prose separates names from values differently every time, so that nobody starts to parse it.
final class ZPage implements Endpoint {
    static final String COMPONENT = "kube-scheduler";

    private static final String GROUP = "config.k8s.io";
    private static final String DEPRECATED = "v1alpha1";
    private static final List<String> VERSIONS = List.of("v1beta1", DEPRECATED);
    private static final String TEXT = "text/plain";
    private static final List<String> OFFERED = List.of(StatusReply.JSON, StatusReply.YAML, TEXT);
    private static final List<String> OFFERED_WITH_CBOR =
            List.of(StatusReply.JSON, StatusReply.YAML, TEXT, Cbor.TYPE);
    private static final List<String> SEPARATORS = List.of(":", ": ", "=", " ");

    private final String kind;
    private final Supplier<String> prose;
    private final Consumer<ObjectNode> fields;
    private final List<String> offered;

    /// @param kind such as `Flagz`
    /// @param fields adds the content to an object that has its kind and name already
    /// @param cbor whether the object is written as CBOR, too
    ZPage(String kind, Supplier<String> prose, Consumer<ObjectNode> fields, boolean cbor) {
        this.kind = kind;
        this.prose = prose;
        this.fields = fields;
        this.offered = cbor ? OFFERED_WITH_CBOR : OFFERED;
    }

    static String header(String page) {
        return """

        %s %s
        Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility \
        guarantees and is for debugging purposes only.
        """
                .formatted(COMPONENT, page);
    }

    static String separator() {
        return SEPARATORS.get(RandomGenerator.getDefault().nextInt(SEPARATORS.size()));
    }

    @Override
    public Reply answer(Call call) {
        String accept = call.header("Accept");
        if (accept.isBlank()) {
            return Reply.text(200, prose.get());
        }
        Optional<MediaType.Choice> choice = MediaType.choose(accept, offered, this::canBe);
        if (choice.isEmpty()) {
            return StatusReply.notAcceptable(call, offered);
        }
        return choice.get().kind().isEmpty()
                ? Reply.text(200, prose.get())
                : structured(call, choice.get(), choice.get().kind().get());
    }

    private boolean canBe(String mediaType, Optional<MediaType.Kind> asked) {
        if (mediaType.equals(TEXT)) {
            return asked.isEmpty();
        }
        return asked.isPresent()
                && asked.get().group().equals(GROUP)
                && asked.get().name().equals(kind)
                && VERSIONS.contains(asked.get().version());
    }

    private Reply structured(Call call, MediaType.Choice choice, MediaType.Kind asked) {
        ObjectNode tree = Trees.mapper().createObjectNode();
        tree.put("kind", kind).put("apiVersion", GROUP + "/" + asked.version());
        tree.putObject("metadata").put("name", COMPONENT);
        fields.accept(tree);
        String type =
                "%s;g=%s;v=%s;as=%s".formatted(choice.mediaType(), GROUP, asked.version(), kind);
        Reply reply =
                switch (choice.mediaType()) {
                    case StatusReply.YAML -> Reply.of(200, type, Trees.yaml(tree));
                    case Cbor.TYPE -> Reply.of(200, type, Cbor.of(tree));
                    default ->
                            Reply.of(
                                    200,
                                    type,
                                    Trees.json(
                                            tree, choice.pretty() || StatusReply.isPretty(call)));
                };
        return asked.version().equals(DEPRECATED)
                ? reply.with(
                        "Warning",
                        "299 - \"This version of the %s endpoint is deprecated. Please use a newer version.\""
                                .formatted(kind.toLowerCase(Locale.ROOT)))
                : reply;
    }
}
