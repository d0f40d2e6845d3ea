#!/usr/bin/env python3
"""Writes the protobuf field table of this module from the Go types of a Kubernetes release.

usage: extract_protobuf.py <directory with the Go modules k8s.io/api and k8s.io/apimachinery> <output file>

Only numbers, names and types are taken. A message by name, then one line per field:

    <number> <name in JSON, or - if the members belong to the outer object> <type><marks>

Types: string bool int32 int64 double bytes quantity time microTime duration intOrString json, a
message by name, []T and map[]T. Marks: `?` the field can be absent (a pointer), `!` shown even when
zero.
"""
import glob
import re
import sys

PACKAGES = [
    ("core.v1", "api/core/v1"),
    ("apps.v1", "api/apps/v1"),
    ("batch.v1", "api/batch/v1"),
    ("autoscaling.v1", "api/autoscaling/v1"),
    ("policy.v1", "api/policy/v1"),
    ("coordination.v1", "api/coordination/v1"),
    ("coordination.v1beta1", "api/coordination/v1beta1"),
    ("events.v1", "api/events/v1"),
    ("storage.v1", "api/storage/v1"),
    ("rbac.v1", "api/rbac/v1"),
    ("scheduling.v1", "api/scheduling/v1"),
    ("resource.v1", "api/resource/v1"),
    ("authentication.v1", "api/authentication/v1"),
    ("authorization.v1", "api/authorization/v1"),
    ("meta.v1", "apimachinery/pkg/apis/meta/v1"),
]
SPECIAL = {
    "resource.Quantity": "quantity",
    "metav1.Time": "time",
    "meta.v1.Time": "time",
    "metav1.MicroTime": "microTime",
    "meta.v1.MicroTime": "microTime",
    "metav1.Duration": "duration",
    "intstr.IntOrString": "intOrString",
    "runtime.RawExtension": "json",
    "metav1.FieldsV1": "json",
    "meta.v1.FieldsV1": "json",
    "types.UID": "string",
    "types.NodeName": "string",
}
SCALARS = {"string", "bool", "int32", "int64", "float64", "byte", "[]byte"}
STRUCT = re.compile(r"^type (\w+) struct \{$(.*?)^\}$", re.S | re.M)
ALIAS = re.compile(r"^type (\w+) ([\[\]\w.*]+)$", re.M)
FIELD = re.compile(r'^\t(?:(\w+)[ \t]+)?([\[\]\w.*]+)[ \t]+`json:"([^"]*)"[^`]*protobuf:"([^"]*)"')
IMPORTS = {
    "v1": "core.v1",
    "corev1": "core.v1",
    "metav1": "meta.v1",
    "core": "core.v1",
    "apiv1": "core.v1",
}


def read(root, package):
    return "\n".join(open(f).read() for f in sorted(glob.glob(f"{root}/{package}/*types*.go")))


def main(root, output):
    sources = {name: read(root, path) for name, path in PACKAGES}
    aliases = {}
    for name, text in sources.items():
        for alias, target in ALIAS.findall(text):
            aliases[f"{name}.{alias}"] = (name, target)

    def resolve(package, go):
        if go in SPECIAL:
            return SPECIAL[go]
        if go == "[]byte":
            return "bytes"
        if go == "float64":
            return "double"
        if go in SCALARS:
            return go
        if go.startswith("*"):
            return resolve(package, go[1:])
        if go.startswith("[]"):
            return "[]" + resolve(package, go[2:])
        if go.startswith("map["):
            return "map[]" + resolve(package, go[go.index("]") + 1 :])
        if "." in go:
            prefix, simple = go.split(".")
            beta = package == "coordination.v1beta1" and prefix == "v1"
            package, go = "coordination.v1" if beta else IMPORTS[prefix], simple
        full = f"{package}.{go}"
        if full in SPECIAL:
            return SPECIAL[full]
        if full in aliases:
            return resolve(*aliases[full])
        return full

    with open(output, "w") as out:
        for name, text in sources.items():
            for struct, body in STRUCT.findall(text):
                fields = []
                for line in body.split("\n"):
                    match = FIELD.match(line)
                    if not match:
                        continue
                    _, go, json_tag, proto = match.groups()
                    number = int(proto.split(",")[1])
                    parts = json_tag.split(",")
                    marks = "?" if go.startswith("*") else ""
                    marks += "" if "omitempty" in parts or "omitzero" in parts else "!"
                    shown = "-" if "inline" in parts or not parts[0] else parts[0]
                    fields.append((number, shown, resolve(name, go) + marks))
                if fields:
                    out.write(f"{name}.{struct}\n")
                    for number, shown, kind in sorted(fields):
                        out.write(f"  {number} {shown} {kind}\n")


main(sys.argv[1], sys.argv[2])
