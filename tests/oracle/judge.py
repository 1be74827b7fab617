"""Compares what pgveil makes of SQL texts with what Postgres's own parser does.

Reads the questions that the unit test `sql::oracle` writes, one JSON object a line: a text, its
tokens and statements by byte offsets, and each statement as printed from its tree, as it is and
with all operators in parentheses. Prints what differs, and fails if anything does that is not
among the differences that are intended: those are taken out of both trees, by `PLAIN`.
"""

import collections
import json
import sys

from pglast import parser

# Where in the text something stands, and what only says how it was written.
PLACES = {"location", "stmt_location", "stmt_len", "list_start", "list_end",
          "rexpr_list_start", "rexpr_list_end"}

# What pgveil leaves out or writes differently before parsing, because it has no bearing on which
# values are ids: by node, the fields that are taken out.
PLAIN = {
    "RangeVar": {"inh"},  # ONLY
    "InsertStmt": {"override"},  # OVERRIDING … VALUE
    "OnConflictClause": {"infer"},  # the conflict target
    "LockingClause": {"strength"},  # FOR NO KEY UPDATE, FOR KEY SHARE
    "FuncCall": {"func_variadic", "funcformat"},  # VARIADIC; CALL syntax or f(x FROM y)
    "SelectStmt": {"groupDistinct"},
    "WindowDef": {"frameOptions", "startOffset", "endOffset"},
}


def plain(node):
    """The tree without what is not compared."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "CollateClause" in node:
        return plain(node["CollateClause"].get("arg"))
    result = {}
    for key, value in node.items():
        if key in PLACES:
            continue
        dropped = PLAIN.get(key)
        if dropped and isinstance(value, dict):
            value = {name: part for name, part in value.items() if name not in dropped}
        if key == "A_Expr" and isinstance(value, dict):
            value = dict(value, name=value.get("name", [])[-1:])  # OPERATOR(schema.+)
        result[key] = plain(value)
    return result


def tree(text):
    statements = json.loads(parser.parse_sql_json(text)).get("stmts", [])
    return [plain(statement["stmt"]) for statement in statements]


KINDS = {
    "SCONST": "string", "USCONST": "string", "BCONST": "bits", "XCONST": "hex",
    "ICONST": "number", "FCONST": "number", "PARAM": "parameter",
    "IDENT": "word", "UIDENT": "word",
}


def kind(token):
    known = KINDS.get(token.name)
    if known:
        return known
    if token.name == "NCHAR" or token.kind != "NO_KEYWORD":
        return "word"
    return "sign"


def tokens(text):
    """The tokens of Postgres's scanner, with byte offsets."""
    offsets = None
    if not text.isascii():
        offsets, at = [], 0
        for letter in text:
            offsets.append(at)
            at += len(letter.encode())
        offsets.append(at)
    place = (lambda at: offsets[at]) if offsets else (lambda at: at)
    found = []
    for token in parser.scan(text):
        if token.name in ("SQL_COMMENT", "C_COMMENT"):
            continue
        found.append([place(token.start), place(token.end + 1), kind(token), token.name])
    merged = []
    for token in found:
        # U&'…' UESCAPE '!' is one literal.
        if (len(merged) > 1 and merged[-1][3] == "UESCAPE" and token[3] == "SCONST"
                and merged[-2][3] in ("USCONST", "UIDENT")):
            merged.pop()
            merged[-1][1] = token[1]
        else:
            merged.append(token)
    return [token[:3] for token in merged]


def main():
    counts = collections.Counter()
    wrong = []
    for line in open(sys.argv[1], encoding="utf-8"):
        question = json.loads(line)
        text, source = question["text"], question["from"]
        try:
            theirs = tokens(text)
        except parser.Error:
            counts[source, "no tokens"] += 1
            continue
        counts[source, "texts"] += 1
        if question["tokens"] != theirs:
            wrong.append(("tokens", text, difference(question["tokens"] or [], theirs)))
            continue
        encoded = text.encode()
        for statement in question["statements"]:
            start, end = statement["bytes"]
            one = encoded[start:end].decode()
            try:
                original = tree(one)
            except parser.Error:
                counts[source, "no SQL"] += 1
                continue
            if len(original) != 1:
                wrong.append(("split", one, str(len(original))))
                continue
            counts[source, "statements"] += 1
            printed = statement["printed"]
            if printed is None:
                continue
            counts[source, "parsed"] += 1
            for version in printed:
                try:
                    ours = tree(version)
                except parser.Error as error:
                    wrong.append(("printed", one, f"{version}\n    {error}"))
                    break
                if ours != original:
                    wrong.append(("tree", one, version + "\n    " + where(ours, original)))
                    break
    for source in sorted({source for source, _ in counts}):
        told = ", ".join(f"{count} {what}" for (of, what), count in sorted(counts.items()) if of == source)
        print(f"{source}: {told}")
    for what, text, told in wrong[:int(sys.argv[2]) if len(sys.argv) > 2 else 40]:
        print(f"{what} of {text[:400]}\n    {told[:600]}")
    print(f"{len(wrong)} differ: {dict(collections.Counter(what for what, _, _ in wrong))}")
    return 1 if wrong else 0


def difference(ours, theirs):
    for mine, other in zip(ours, theirs):
        if mine != other:
            return f"{mine} for {other}"
    return f"{len(ours)} for {len(theirs)}"


def where(ours, theirs, path=""):
    """The first place at which two trees differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                return where(ours.get(key), theirs.get(key), f"{path}.{key}")
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (mine, other) in enumerate(zip(ours, theirs)):
            if mine != other:
                return where(mine, other, f"{path}[{index}]")
    return f"{path}: {json.dumps(ours)[:200]} for {json.dumps(theirs)[:200]}"


sys.exit(main())
