package io.berth.api.model;

/// The controller that owns a pod.
public record Owner(String apiVersion, String kind, String name, String uid) {}
