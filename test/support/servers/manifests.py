"""Reads manifests of Kubernetes from standard input, as YAML, and writes each as a line of JSON. Exits with 1 and an error
that names the fault for an unknown kind or member, a value of a wrong type, or a duplicate member."""

import json
import sys

import kubernetes_validate
import yaml


class Loader(yaml.SafeLoader):
    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"{key} stands twice{node.start_mark}")
        return super().construct_mapping(node, deep)


for manifest in yaml.load_all(sys.stdin, Loader):
    if manifest is not None:
        kubernetes_validate.validate(manifest, sys.argv[1], strict=True)
        print(json.dumps(manifest))
