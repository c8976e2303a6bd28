"""Checks answers against the schemas that describe them: openapi_answers.py DOCUMENT ANSWERS.

ANSWERS is a JSON list of [method, path, body]. A body that no answer of its operation allows, or with
a field that its schema does not have, is an error."""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

document, answers = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])


def closed(schema):
    """The schema, with no fields but those that it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made["additionalProperties"] = False
    return made


components = closed(document["components"])
for method, path, body in answers:
    responses = document["paths"][path][method]["responses"].values()
    schemas = [response["content"]["application/json"]["schema"] for response in responses
               if "application/json" in response["content"]]
    Draft202012Validator({"anyOf": schemas, "components": components}).validate(body)
print(len(answers), "answers")
