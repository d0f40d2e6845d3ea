package io.berth.apiserver.registry;

import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.status.Status;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.Page;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Answers lists: which moment, which objects, which page.
public final class Lister {
    private static final String CONTINUE_TOO_OLD =
            "The provided continue parameter is too old to display a consistent list result. You"
                    + " can start a new list without the continue parameter, or use the continue token"
                    + " in this response to retrieve the remainder of the results. Continuing with the"
                    + " provided token results in an inconsistent list - objects that were created,"
                    + " modified, or deleted between the time the first chunk was returned and now may"
                    + " show up in the list.";

    private final Store store;

    public Lister(Store store) {
        this.store = store;
    }

    /// One page of a list.
    ///
    /// @param continueToken empty on the last page
    public record Result(
            long revision,
            List<StoredObject> objects,
            String continueToken,
            OptionalLong remaining) {
        public Result {
            objects = List.copyOf(objects);
        }
    }

    public Result list(ResourceType type, String namespace, ListOptions options) {
        String prefix = ObjectPath.prefix(namespace);
        Page page = page(type, prefix, options);
        var selected = new ArrayList<StoredObject>();
        List<StoredObject> candidates = page.objects();
        for (int i = 0; i < candidates.size(); i++) {
            StoredObject candidate = candidates.get(i);
            if (!options.selects(candidate)) {
                continue;
            }
            selected.add(candidate);
            if (options.limit() > 0
                    && selected.size() == options.limit()
                    && i + 1 < candidates.size()) {
                return partial(page, selected, candidates.size() - i - 1, prefix, options);
            }
        }
        return new Result(page.revision(), selected, "", OptionalLong.empty());
    }

    private static Result partial(
            Page page,
            List<StoredObject> selected,
            int remaining,
            String prefix,
            ListOptions options) {
        String last = selected.getLast().path().substring(prefix.length());
        return new Result(
                page.revision(),
                selected,
                new ContinueToken(page.revision(), last).encode(),
                options.selectsAll() ? OptionalLong.of(remaining) : OptionalLong.empty());
    }

    private Page page(ResourceType type, String prefix, ListOptions options) {
        if (!options.continueToken().isEmpty()) {
            return nextPage(type, prefix, options);
        }
        String version = options.resourceVersion();
        long asked = version.isEmpty() ? 0 : parse(version);
        Page now = store.list(type, prefix);
        if (asked > now.revision()) {
            throw ApiErrors.tooLargeResourceVersion(asked, now.revision());
        }
        boolean exact =
                options.match().equals("Exact")
                        || (options.match().isEmpty() && options.limit() > 0);
        if (asked == 0 || !exact) {
            return now;
        }
        return store.listAt(type, prefix, "", asked)
                .orElseThrow(() ->
                        ApiErrors.expired("The resourceVersion for the provided list is too old."));
    }

    private static long parse(String version) {
        try {
            return Long.parseUnsignedLong(version);
        } catch (NumberFormatException e) {
            throw ApiErrors.badRequest("invalid resource version: " + invalidVersion(version));
        }
    }

    /// What kube-apiserver says of a resourceVersion that is no number.
    public static String invalidVersion(String version) {
        return "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
                .formatted(version, version);
    }

    private Page nextPage(ResourceType type, String prefix, ListOptions options) {
        if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals("0")) {
            throw ApiErrors.badRequest(
                    "specifying resource version is not allowed when using continue");
        }
        ContinueToken token = ContinueToken.decode(options.continueToken());
        String after = prefix + token.after();
        long revision = token.revision() < 0 ? store.revision() : token.revision();
        return store.listAt(type, prefix, after, revision).orElseThrow(() -> tooOld(token));
    }

    private static ApiException tooOld(ContinueToken token) {
        return new ApiException(
                Status.failure(410, "Expired", CONTINUE_TOO_OLD)
                        .withContinue(new ContinueToken(-1, token.after()).encode()));
    }
}
