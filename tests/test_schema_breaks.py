"""What breaks a script in a schema of answers, by the check that CI makes against the last tag."""

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.checkout
OLD = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "all": {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}}}  # fmt: skip
ID, ALL = OLD["properties"]["id"], OLD["properties"]["all"]
CHANGES = {
    "nothing": (OLD, []),
    "a new field": (OLD | {"properties": {"id": ID, "all": ALL, "new": {"type": "string"}}}, []),
    "a field gone": (OLD | {"properties": {"id": ID}}, [" all is gone"]),
    "not always there": (OLD | {"required": []}, [" id is no longer always there"]),
    "another type": (OLD | {"properties": {"id": {"type": "integer"}, "all": ALL}}, [" id has another type"]),
    "in a list": (OLD | {"properties": {"id": ID, "all": ALL | {"items": {"properties": {}}}}}, ["all[] n is gone"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_breaks_is_named(change):
    spec = importlib.util.spec_from_file_location("schemas", Path(__file__).parents[1] / ".ci/schemas.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    new, problems = CHANGES[change]
    assert list(module.breaks(OLD, new)) == problems
