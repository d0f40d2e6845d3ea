#!/usr/bin/env python3
"""Writes the schema files of this module from the OpenAPI v3 documents of a Kubernetes release.

usage: extract.py <directory with *_openapi.json> <output directory>

The documents are what a kube-apiserver serves under /openapi/v3, one file per group version. Only
names, types and merge rules are taken. One line per field:

    name type [required] [patch=<strategy>] [key=<patch merge key>] [list=map:<keys>|set|atomic]
              [map=atomic] [default=<json>]

Types: string boolean int32 int64 double quantity intOrString time microTime bytes any, a struct by
name, []T and map[]T.
"""
import collections
import glob
import json
import os
import sys

ROOTS = """
core.v1: Namespace Node Pod Service ReplicationController PersistentVolume PersistentVolumeClaim ConfigMap
 Secret ServiceAccount Event Binding PodTemplate ResourceQuota LimitRange
policy.v1: PodDisruptionBudget Eviction
events.v1: Event
coordination.v1: Lease
coordination.v1beta1: LeaseCandidate
apps.v1: ReplicaSet StatefulSet Deployment DaemonSet ControllerRevision
batch.v1: Job CronJob
autoscaling.v1: Scale
storage.v1: StorageClass CSINode CSIDriver CSIStorageCapacity VolumeAttachment VolumeAttributesClass
rbac.v1: Role RoleBinding ClusterRole ClusterRoleBinding
scheduling.v1: PriorityClass
scheduling.v1alpha2: PodGroup Workload
resource.v1: ResourceClaim ResourceClaimTemplate ResourceSlice DeviceClass
apiextensions.v1: CustomResourceDefinition
meta.v1: Status DeleteOptions
"""
SCALARS = {
    "api.resource.Quantity": "quantity",
    "intstr.IntOrString": "intOrString",
    "meta.v1.Time": "time",
    "meta.v1.MicroTime": "microTime",
    "meta.v1.FieldsV1": "any",
    "runtime.RawExtension": "any",
    "apiextensions.v1.JSONSchemaProps": "any",
}


def short(name):
    for prefix, rest in (
        ("io.k8s.api.", ""),
        ("io.k8s.apiextensions-apiserver.pkg.apis.", ""),
        ("io.k8s.apimachinery.pkg.apis.", ""),
        ("io.k8s.apimachinery.pkg.util.", ""),
        ("io.k8s.apimachinery.pkg.", ""),
    ):
        if name.startswith(prefix):
            return rest + name[len(prefix):]
    return name


def type_of(node):
    if "allOf" in node:
        return type_of(node["allOf"][0])
    if "$ref" in node:
        name = short(node["$ref"].rsplit("/", 1)[1])
        return SCALARS.get(name, name)
    kind, form = node.get("type"), node.get("format")
    if kind == "array":
        return "[]" + type_of(node["items"])
    if kind == "object":
        if "additionalProperties" in node:
            return "map[]" + type_of(node["additionalProperties"])
        return "any"
    if kind == "integer":
        return form or "int64"
    if kind == "number":
        return "double"
    if kind == "string":
        return {"byte": "bytes", "date-time": "time"}.get(form, "string")
    if kind == "boolean":
        return "boolean"
    return "any"


def base(kind):
    while kind.startswith("[]") or kind.startswith("map[]"):
        kind = kind[kind.index("]") + 1:]
    return kind


def line(name, node, required):
    words = [name, type_of(node)]
    if name in required:
        words.append("required")
    if "x-kubernetes-patch-strategy" in node:
        words.append("patch=" + node["x-kubernetes-patch-strategy"])
    if "x-kubernetes-patch-merge-key" in node:
        words.append("key=" + node["x-kubernetes-patch-merge-key"])
    kind = node.get("x-kubernetes-list-type")
    if kind:
        keys = node.get("x-kubernetes-list-map-keys")
        words.append("list=" + kind + (":" + ",".join(keys) if keys else ""))
    if "x-kubernetes-map-type" in node:
        words.append("map=" + node["x-kubernetes-map-type"])
    if "default" in node and node["default"] not in ({}, "", 0, None):
        words.append("default=" + json.dumps(node["default"], separators=(",", ":")))
    return "  " + " ".join(words)


def main(source, target):
    definitions = {}
    for path in sorted(glob.glob(os.path.join(source, "*_openapi.json"))):
        with open(path) as f:
            for name, node in json.load(f).get("components", {}).get("schemas", {}).items():
                definitions[short(name)] = node
    todo = []
    for group in ROOTS.strip().replace("\n ", " ").split("\n"):
        prefix, kinds = group.split(":")
        todo += [f"{prefix}.{kind}" for kind in kinds.split()]
    files, seen = collections.defaultdict(list), set()
    while todo:
        name = todo.pop(0)
        if name in seen:
            continue
        seen.add(name)
        node = definitions[name]
        head = name
        if node.get("x-kubernetes-map-type") == "atomic":
            head += " map=atomic"
        lines = [head]
        for field, child in sorted(node.get("properties", {}).items()):
            lines.append(line(field, child, node.get("required", [])))
            used = base(type_of(child))
            if used in definitions and used not in seen:
                todo.append(used)
        files[name.rsplit(".", 1)[0]].append((name, lines))
    for prefix, structs in files.items():
        with open(os.path.join(target, prefix + ".schema"), "w") as f:
            for _, lines in sorted(structs):
                f.write("\n".join(lines) + "\n")


main(sys.argv[1], sys.argv[2])
