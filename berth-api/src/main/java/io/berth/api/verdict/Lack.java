package io.berth.api.verdict;

/// Something that a node has too little of for a pod.
///
/// @param resource as in the pod's requests, `pods` for places; or some words, such as `volumes of
///   ebs.csi.aws.com`
/// @param wanted how much the pod asks for, in the unit of the resource's column: thousandths of a
///   cpu, bytes, or pieces
/// @param available how much of it is free on the node; negative on a node that is overfull
public record Lack(String resource, long wanted, long available) {}
