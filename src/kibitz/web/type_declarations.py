"""TypeScript declarations of messages, made from their JSON Schema, so that JavaScript is checked against them."""

import json
from collections.abc import Mapping
from typing import Any

JsonSchema = Mapping[str, Any]  # whatever JSON Schema allows
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations(
    maker: str, parts: Mapping[str, JsonSchema], unions: Mapping[str, JsonSchema], imported: str = ""
) -> str:
    """Return the text of a .d.ts file: imports, an interface for each part, then types that name several of them."""
    heading = f"// Made by `python -m {maker}` from the structs of the server; change those instead.\n"
    imports = [f'import type {{ {imported} }} from "/static/js/messages.js";\n'] if imported else []
    interfaces = [_interface(name, part) for name, part in sorted(parts.items())]
    return "\n".join([heading, *imports, *interfaces, *(_alias(name, union) for name, union in unions.items())])


def _interface(name: str, part: JsonSchema) -> str:
    required = part.get("required", [])
    fields = [
        f"  {field}{'' if field in required else '?'}: {type_text(schema)};\n"
        for field, schema in part["properties"].items()
    ]
    return f"/** {part['description']} */\nexport interface {name} {{\n{''.join(fields)}}}\n"


def _alias(name: str, union: JsonSchema) -> str:
    return f"/** {union['title']} */\nexport type {name} = {type_text(union)};\n"


def type_text(schema: JsonSchema) -> str:
    """Return a type as TypeScript writes it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_text(one) for one in schema["anyOf"]))
    if schema["type"] == "array":
        return _array(schema)
    if schema["type"] == "object":
        return f"{{ [name: string]: {type_text(schema['additionalProperties'])} }}"
    return PLAIN[schema["type"]]


def _array(schema: JsonSchema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_text(one) for one in schema['prefixItems'])}]"
    inside = type_text(schema["items"])
    return f"({inside})[]" if " | " in inside else f"{inside}[]"
