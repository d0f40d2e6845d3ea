package io.berth.api.model;

import io.berth.api.label.Labels;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.ResizeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds a [Pod].
public final class PodBuilder {
    private String namespace;
    private String name;
    private String uid;
    private String resourceVersion = "";
    private long generation;
    private Labels labels = Labels.EMPTY;
    private PodSpec spec = PodSpec.DEFAULT;
    private @Nullable Owner controller;
    private String nodeName = "";
    private String phase = "Pending";
    private String nominatedNodeName = "";
    private final List<PodCondition> conditions = new ArrayList<>();
    private @Nullable Instant createdAt;
    private @Nullable Instant startedAt;
    private @Nullable Instant deletedAt;
    private @Nullable ResizeStatus resize;
    private @Nullable GeneratedClaims generatedClaims;

    PodBuilder(String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
        this.uid = namespace + "/" + name;
    }

    PodBuilder(Pod from) {
        namespace = from.namespace();
        name = from.name();
        uid = from.uid();
        resourceVersion = from.resourceVersion();
        generation = from.generation();
        labels = from.labels();
        spec = from.spec();
        controller = from.controller();
        nodeName = from.nodeName();
        phase = from.phase();
        nominatedNodeName = from.nominatedNodeName();
        conditions.addAll(from.conditions());
        createdAt = from.createdAt();
        startedAt = from.startedAt();
        deletedAt = from.deletedAt();
        resize = from.resize();
        generatedClaims = from.generatedClaims();
    }

    public PodBuilder namespace(String value) {
        namespace = value;
        return this;
    }

    public PodBuilder name(String value) {
        name = value;
        return this;
    }

    public PodBuilder uid(String value) {
        uid = value;
        return this;
    }

    public PodBuilder resourceVersion(String value) {
        resourceVersion = value;
        return this;
    }

    public PodBuilder generation(long value) {
        generation = value;
        return this;
    }

    public PodBuilder labels(Labels value) {
        labels = value;
        return this;
    }

    public PodBuilder spec(PodSpec value) {
        spec = value;
        return this;
    }

    public PodBuilder controller(@Nullable Owner value) {
        controller = value;
        return this;
    }

    public PodBuilder nodeName(String value) {
        nodeName = value;
        return this;
    }

    public PodBuilder phase(String value) {
        phase = value;
        return this;
    }

    public PodBuilder nominatedNodeName(String value) {
        nominatedNodeName = value;
        return this;
    }

    /// Adds a condition, in place of one of the same type.
    public PodBuilder condition(PodCondition condition) {
        conditions.removeIf(known -> known.type().equals(condition.type()));
        conditions.add(condition);
        return this;
    }

    public PodBuilder createdAt(@Nullable Instant value) {
        createdAt = value;
        return this;
    }

    public PodBuilder startedAt(@Nullable Instant value) {
        startedAt = value;
        return this;
    }

    public PodBuilder deletedAt(@Nullable Instant value) {
        deletedAt = value;
        return this;
    }

    public PodBuilder resize(@Nullable ResizeStatus value) {
        resize = value;
        return this;
    }

    public PodBuilder generatedClaims(@Nullable GeneratedClaims value) {
        generatedClaims = value;
        return this;
    }

    public Pod build() {
        return new Pod(
                namespace,
                name,
                uid,
                resourceVersion,
                generation,
                labels,
                spec,
                controller,
                nodeName,
                phase,
                nominatedNodeName,
                conditions,
                createdAt,
                startedAt,
                deletedAt,
                resize,
                generatedClaims);
    }
}
