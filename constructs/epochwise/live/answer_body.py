"""Whether the body of an answer is one at all: a proxy on the way answers in HTML, or with nothing.

botocore takes HTML, an empty body and other XML for an answer without fields, and stumbles over JSON that is no object.
So such a body is put aside before botocore parses it, and whoever looks at the parsed answer asks again.
"""

import json
from collections.abc import Mapping
from http.client import responses
from typing import Any
from xml.etree import ElementTree as ET

from epochwise.live.failure import text_of_page

WHY_NONE = "WhyNone"
"""The key of a parsed answer that says why its body is none."""
_GOOD = 300
"""The first HTTP status that is no good answer; botocore parses from 301 on as an error."""
_WITHOUT_FIELDS = {"GetBucketNotificationConfiguration": "Notification"}
"""Operations whose answer is whole without any field, and part of how it begins (S3 API Reference; stores that speak S3
call the rest of it otherwise)."""
_ROOTS = {"query", "ec2"}
"""Protocols whose answer's root is named after the operation."""


def put_unreadable_aside(
    *, response_dict: dict[str, Any], operation_model: Any, customized_response_dict: dict[str, Any], **_: object
) -> None:
    """Give botocore's parser an answer without fields in place of a body that broke off or is none.

    The parsed answer says then under `WHY_NONE` what the body is.
    """
    body = response_dict.get("body")
    status = int(response_dict["status_code"])
    good = status < _GOOD
    if not isinstance(body, bytes) or not (parsed_here if good else _error_has_body)(operation_model):
        return
    protocol = str(operation_model.service_model.resolved_protocol)
    if good:
        reason = "it broke off" if broke_off(response_dict["headers"], body) else _why_none(body, operation_model)
        if reason is not None:
            customized_response_dict[WHY_NONE] = reason
            response_dict["body"] = _without_fields(protocol, operation_model)
    elif _parsed(body, protocol) is None:
        said = text_of_page(body.decode("utf-8", errors="replace")).strip() or responses.get(status, "")
        response_dict["body"] = _error(protocol, str(status), said)


def parsed_here(operation_model: Any) -> bool:
    """Tell whether botocore parses the body of an operation's answers; it may stream, or be one text."""
    shape = operation_model.output_shape
    if shape is None or operation_model.has_streaming_output or operation_model.http.get("method") == "HEAD":
        return False
    payload = shape.serialization.get("payload")
    return payload is None or shape.members[payload].type_name not in {"string", "blob"}


def _error_has_body(operation_model: Any) -> bool:
    """Tell whether an operation's errors say in a body why: they are parsed also where good answers stream."""
    return bool(operation_model.http.get("method") != "HEAD")


def may_lack_all(operation_model: Any) -> bool:
    """Tell whether an answer is whole without any field."""
    return operation_model.name in _WITHOUT_FIELDS


def broke_off(headers: Mapping[str, str], body: bytes) -> bool:
    """Tell whether less came than was promised."""
    return len(body) < promised_bytes(headers)


def promised_bytes(headers: Mapping[str, str]) -> int:
    """Return how long the body is to be; 0 where the answer does not say it."""
    promised = str(headers.get("content-length") or "")
    return int(promised) if promised.isascii() and promised.isdigit() else 0


def _why_none(body: bytes, operation_model: Any) -> str | None:
    """Return what a body of a good answer is instead of one; None where it is one."""
    protocol = str(operation_model.service_model.resolved_protocol)
    if not body.strip():
        return "it is empty"
    parsed = _parsed(body, protocol)
    if parsed is None:
        page = body.lstrip()[:9].lower().startswith((b"<html", b"<!doctype"))
        return f"it is {'HTML' if page else 'no JSON object' if 'json' in protocol else 'no XML'}"
    if not isinstance(parsed, ET.Element):
        return None
    wanted, wrapper = _wanted_root(protocol, operation_model), _wrapper(operation_model)
    part = _WITHOUT_FIELDS.get(operation_model.name, "")
    if part not in _name(parsed):
        return f"it is {_name(parsed)[:80]}, not {part}Configuration"
    if (wanted and _name(parsed) != wanted) or (wrapper and wrapper not in map(_name, parsed)):
        return f"it is {_name(parsed)[:80]}, not {wanted}"
    return None


def _wanted_root(protocol: str, operation_model: Any) -> str:
    """Return how an operation's answer in XML begins; empty where the model does not say it."""
    if protocol in _ROOTS:
        return f"{operation_model.name}Response"
    shape = operation_model.output_shape
    payload = shape.members.get(shape.serialization.get("payload"))
    return "" if payload is None else str(payload.serialization.get("name", payload.name))


def _parsed(body: bytes, protocol: str) -> ET.Element | dict[str, Any] | None:
    """Return a body as its protocol wants it: an object in JSON, or XML and no page; None where it is neither.

    Of a protocol that is not known here, nothing is told.
    """
    try:
        if "json" in protocol:
            found = json.loads(body)
            return found if isinstance(found, dict) else None
        if protocol in {*_ROOTS, "rest-xml"}:
            # AWS's own answer, or that of whoever is in its place; expat bounds how entities grow
            root = ET.fromstring(body)  # noqa: S314
            return None if _name(root).lower() == "html" else root
    except (ValueError, RecursionError, ET.ParseError):
        return None
    return {}


def _name(element: ET.Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def _wrapper(operation_model: Any) -> str:
    """Return the element that an answer's fields stand in; empty where they stand in the root."""
    return str(operation_model.output_shape.serialization.get("resultWrapper", ""))


def _without_fields(protocol: str, operation_model: Any) -> bytes:
    """Return the body of an answer without fields."""
    if "json" in protocol:
        return b"{}"
    wrapper = _wrapper(operation_model)
    return f"<Answer><{wrapper}/></Answer>".encode() if wrapper else b"<Answer/>"


def _error(protocol: str, code: str, said: str) -> bytes:
    """Return the body of an error as a protocol has it."""
    if "json" in protocol:
        return json.dumps({"__type": code, "message": said}).encode()
    error, root = ET.Element("Error"), ET.Element("Response")
    ET.SubElement(error, "Code").text, ET.SubElement(error, "Message").text = code, said
    if protocol == "rest-xml":
        return ET.tostring(error)
    (ET.SubElement(root, "Errors") if protocol == "ec2" else root).append(error)
    return ET.tostring(root)
