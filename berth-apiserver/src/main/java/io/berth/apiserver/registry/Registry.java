package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.admission.Admission;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.ApiException;
import io.berth.apiserver.store.Draft;
import io.berth.apiserver.store.ObjectPath;
import io.berth.apiserver.store.Store;
import io.berth.apiserver.store.StoredObject;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Creates, changes and deletes objects under the rules that all kinds share.
///
/// A write reads the current state, works out the next one, and stores it if the state is still
/// current; otherwise it starts again. A client that named a resourceVersion learns of the conflict
/// instead. Called by many request threads; holds no state of its own.
public final class Registry {
    /// A write that loses this many races in a row gives up: nobody waits for ever.
    private static final int MAX_ATTEMPTS = 200;

    private static final int MAX_GENERATED_NAMES = 8;

    private final Store store;
    private final Preparation preparation;
    private final NamespaceGuard namespaces;
    private final Deletion deletion;
    private final CustomKinds kinds;

    /// A registry over a store.
    ///
    /// @param trackFields whether writes are recorded in `managedFields`
    public Registry(Store store, InstantSource clock, boolean trackFields) {
        this.store = store;
        this.preparation =
                new Preparation(
                        new Admission(new StoredFacts(store), clock, Admission.Options.DEFAULT),
                        clock,
                        trackFields);
        this.namespaces = new NamespaceGuard(store);
        this.deletion = new Deletion(store, clock);
        this.kinds = new CustomKinds(store);
    }

    public Store store() {
        return store;
    }

    /// What is served now.
    public CustomKinds kinds() {
        return kinds;
    }

    public Optional<StoredObject> find(ResourceType type, String namespace, String name) {
        return store.get(type, ObjectPath.of(namespace, name));
    }

    public StoredObject get(ResourceType type, String namespace, String name) {
        return find(type, namespace, name).orElseThrow(() -> ApiErrors.notFound(type, name));
    }

    /// Stores a new object. The tree belongs to the registry from now on.
    public StoredObject create(
            ResourceType type, String namespace, ObjectNode object, WriteOptions options) {
        ObjectNode metadata = Meta.of(object);
        if (!Meta.resourceVersion(object).isEmpty()) {
            throw ApiErrors.plain("resourceVersion should not be set on objects to be created");
        }
        if (type.namespaced()) {
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
        String prefix = metadata.path("generateName").asText("");
        boolean generated = Meta.name(object).isEmpty() && !prefix.isEmpty();
        for (int attempt = 1; ; attempt++) {
            if (generated) {
                metadata.put("name", Meta.generateName(prefix, RandomGenerator.getDefault()));
            }
            String name = Meta.name(object);
            namespaces.checkCreate(type, namespace, name);
            Draft draft = Draft.of(type, preparation.forCreate(type, object, options));
            Optional<StoredObject> stored =
                    options.dryRun() ? preview(type, namespace, name, draft) : store.create(draft);
            if (stored.isPresent()) {
                return stored.get();
            }
            if (!generated) {
                throw alreadyExists(type, namespace, name);
            }
            if (attempt == MAX_GENERATED_NAMES) {
                throw ApiErrors.generatedNameExists(type, name);
            }
        }
    }

    private RuntimeException alreadyExists(ResourceType type, String namespace, String name) {
        boolean deleting =
                find(type, namespace, name).map(o -> Meta.isDeleting(o.tree())).orElse(false);
        return ApiErrors.alreadyExists(type, name, deleting ? "object is being deleted: " : "");
    }

    private Optional<StoredObject> preview(
            ResourceType type, String namespace, String name, Draft draft) {
        return find(type, namespace, name).isPresent()
                ? Optional.empty()
                : Optional.of(draft.at(0));
    }

    /// Which object a write is aimed at.
    ///
    /// @param subresource empty for the object itself
    public record Target(ResourceType type, String namespace, String name, String subresource) {}

    /// What came of an update.
    public record Updated(StoredObject object, boolean created) {}

    /// Changes an object.
    ///
    /// @param change makes the wanted state from a copy of the current one
    public Updated update(Target target, UnaryOperator<ObjectNode> change, WriteOptions options) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            StoredObject current = get(target.type(), target.namespace(), target.name());
            ObjectNode old = current.tree();
            ObjectNode object = change.apply(old.deepCopy());
            checkVersion(current, object);
            ObjectNode next = preparation.forUpdate(target, object, old, options);
            Optional<StoredObject> stored = commit(current, old, next, options);
            if (stored.isPresent()) {
                return new Updated(stored.get(), false);
            }
        }
        throw ApiErrors.conflict(target.type(), target.name(), ApiErrors.MODIFIED);
    }

    /// Replaces an object, or creates it where its kind allows that.
    public Updated put(Target target, ObjectNode object, WriteOptions options) {
        boolean mayCreate =
                target.subresource().isEmpty() && KindRules.createdByUpdate(target.type());
        if (mayCreate && find(target.type(), target.namespace(), target.name()).isEmpty()) {
            return new Updated(create(target.type(), target.namespace(), object, options), true);
        }
        String uid = Meta.uid(object);
        return update(
                target,
                current -> {
                    checkIdentity(target, current, uid);
                    return object.deepCopy();
                },
                options);
    }

    private Optional<StoredObject> commit(
            StoredObject current, ObjectNode old, ObjectNode object, WriteOptions options) {
        if (object.equals(old)) {
            return Optional.of(current);
        }
        Draft draft = Draft.of(current.type(), object);
        if (options.dryRun()) {
            return Optional.of(draft.at(current.revision()));
        }
        if (finishesDeletion(current.type(), object)) {
            // The answer is the object as it was written, as it would be had it stayed.
            return store.delete(current).map(last -> draft.at(last.revision()));
        }
        return store.replace(current, draft);
    }

    /// Says whether this state is the last one: the object was only waiting for its finalizers.
    private static boolean finishesDeletion(ResourceType type, ObjectNode object) {
        boolean over = Meta.isDeleting(object) && !Meta.hasFinalizers(object);
        if (type.equals(NamespaceGuard.NAMESPACES)) {
            return over && object.path("spec").path("finalizers").isEmpty();
        }
        return over && Meta.gracePeriodSeconds(object).orElse(-1) == 0;
    }

    private void checkIdentity(Target target, ObjectNode current, String uid) {
        if (!uid.isEmpty() && !uid.equals(Meta.uid(current))) {
            StoredObject stored = get(target.type(), target.namespace(), target.name());
            throw ApiErrors.conflict(
                    target.type(), target.name(), Preconditions.uidMessage(stored, uid));
        }
    }

    private static void checkVersion(StoredObject current, ObjectNode object) {
        String version = Meta.resourceVersion(object);
        if (version.isEmpty() || version.equals("0")) {
            if (!KindRules.allowsUnconditionalUpdate(current.type())) {
                throw ApiErrors.invalidField(
                        current.type().group(),
                        current.type().plural(),
                        current.name(),
                        "metadata.resourceVersion",
                        "FieldValueInvalid",
                        "Invalid value: 0: must be specified for an update");
            }
        } else if (Preconditions.parseVersion(version) != current.revision()) {
            throw ApiErrors.conflict(current.type(), current.name(), ApiErrors.MODIFIED);
        }
    }

    /// What a DELETE did.
    ///
    /// @param answersObject the response is the object rather than a `Status`
    public record Deleted(StoredObject object, boolean removed, boolean answersObject) {}

    public Deleted delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        namespaces.checkDelete(type, name);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            StoredObject current = get(type, namespace, name);
            Optional<Deleted> deleted =
                    type.equals(NamespaceGuard.NAMESPACES)
                            ? tryDeleteNamespace(current, options)
                            : deletion.tryDelete(current, options).map(o -> answer(type, o));
            if (deleted.isPresent()) {
                return deleted.get();
            }
        }
        throw ApiErrors.conflict(type, name, ApiErrors.MODIFIED);
    }

    /// Deletes an object without grace on the way to a larger deletion, and says whether it is
    /// gone.
    boolean isRemoved(StoredObject object) {
        DeleteOptions options = DeleteOptions.DEFAULT.withGrace(0).withPropagation("Background");
        try {
            return delete(object.type(), object.namespace(), object.name(), options).removed();
        } catch (ApiException e) {
            // Gone by another hand, or changed just now: the next round will tell.
            return false;
        }
    }

    /// Takes one finalizer away, which may let the object go.
    ///
    /// @param member the part of the object that lists it
    void dropFinalizer(Target target, String member, String finalizer) {
        try {
            var _ =
                    update(
                            target,
                            object -> {
                                ArrayNode rest = Json.array();
                                object.path(member)
                                        .path("finalizers")
                                        .forEach(each -> {
                                            if (!each.asText().equals(finalizer)) {
                                                rest.add(each);
                                            }
                                        });
                                Json.ensure(object, member).set("finalizers", rest);
                                return object;
                            },
                            WriteOptions.internal());
        } catch (ApiException e) {
            // Gone or changed by another hand: whoever asked looks again.
        }
    }

    private static Deleted answer(ResourceType type, Deletion.Outcome outcome) {
        boolean finished = outcome.removed() || outcome.pending();
        return new Deleted(
                outcome.object(),
                outcome.removed(),
                !finished || KindRules.returnsDeletedObject(type));
    }

    private Optional<Deleted> tryDeleteNamespace(StoredObject current, DeleteOptions options) {
        Preconditions.checkNamespace(current, options);
        ObjectNode namespace = current.tree();
        if (Meta.isDeleting(namespace)) {
            return namespace.path("spec").path("finalizers").isEmpty()
                    ? deletion.tryDelete(current, options).map(o -> answer(current.type(), o))
                    : Optional.of(new Deleted(current, false, true));
        }
        deletion.markNamespace(namespace);
        Draft draft = Draft.of(current.type(), namespace);
        Optional<StoredObject> stored =
                options.dryRun()
                        ? Optional.of(draft.at(current.revision()))
                        : store.replace(current, draft);
        return stored.map(o -> new Deleted(o, false, true));
    }
}
