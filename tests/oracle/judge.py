"""Compares what pgveil makes of SQL texts with what Postgres's own parser does.

Reads the questions that the unit test `sql::oracle` writes, one JSON object a line: a text, its
tokens and statements by byte offsets, and each statement as printed from its tree, as it is and
with all operators in parentheses. Prints what differs, and fails if anything does that is not
among the differences that are intended: those are taken out of both trees, by `PLAIN`.
"""

import collections
import json
import re
import sys

from pglast import parser

# Where in the text something stands, and what only says how it was written.
PLACES = {"location", "stmt_location", "stmt_len", "list_start", "list_end",
          "rexpr_list_start", "rexpr_list_end"}

# Fields for what pgveil leaves out before parsing, because it has no bearing on which values are
# ids.
LEFT_OUT = {
    "inh",  # ONLY
    "override",  # OVERRIDING … VALUE
    "infer",  # the target of ON CONFLICT
    "strength", "lockedRels",  # FOR NO KEY UPDATE OF t
    "func_variadic",
    "funcformat",  # substring(x FROM y)
    "groupDistinct",
    "unique",  # WITH UNIQUE KEYS
    "format",  # FORMAT JSON
    "frameOptions", "startOffset", "endOffset",  # EXCLUDE, and what RANGE counts
    "search_clause", "cycle_clause",  # stand behind FROM, see RECURSION
}

# SEARCH and CYCLE as they are printed: a name with what they say, which nothing else is like.
RECURSION = re.compile(r' FROM "[^"]*\0"')

# The name of a join as it is printed, behind its columns.
JOIN_NAME = re.compile(r'USING\(([^()]*), "as"\.("(?:[^"]|"")*")\)')

# Nodes that are left out around another.
WRAPPERS = {
    "CollateClause": "arg",
    "RangeTableSample": "relation",
    "NamedArgExpr": "arg",  # VARIADIC is written as a name
}


def plain(node):
    """The tree without what is not compared."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    for wrapper, inner in WRAPPERS.items():
        if wrapper in node:
            return plain(node[wrapper].get(inner))
    if "A_Star" in node:
        return {"String": {"sval": "*"}}
    if "CurrentOfExpr" in node:
        return None
    if "SQLValueFunction" in node:
        name = node["SQLValueFunction"]["op"].removeprefix("SVFOP_").lower()
        if name in ("current_schema", "current_role"):
            return {"FuncCall": {"funcname": [{"String": {"sval": name}}]}}
    if node.get("kind") == "GROUPING_SET_SETS":  # GROUPING SETS (GROUPING SETS (a), b)
        node = dict(node, content=sets(node["content"]))
    if "JsonFuncExpr" in node:
        name = node["JsonFuncExpr"]["op"].removesuffix("_OP").lower()
        return plain(called(name, values(node["JsonFuncExpr"])))
    if "JsonTable" in node:
        table = node["JsonTable"]
        found = values(table)
        columns = json_columns(table["columns"], found)
        for column, name in zip(columns, table.get("alias", {}).get("colnames", [])):
            column["ColumnDef"]["colname"] = name["String"]["sval"]
        call = {"List": {"items": [called("json_table", found), {}]}}
        return plain({"RangeFunction": {"functions": [call], "coldeflist": columns}})
    if "XmlExpr" in node and node["XmlExpr"]["op"] != "IS_XMLCONCAT":
        return plain(xml(node["XmlExpr"]))
    if "XmlSerialize" in node:
        return plain(called("xmlserialize", [node["XmlSerialize"]["expr"]]))
    if node.get("is_rowsfrom"):
        items = [function["List"]["items"][0] for function in node["functions"]]
        call = {"List": {"items": [called("rowsfrom", items), {}]}}
        node = dict(node, is_rowsfrom=None, functions=[call])
    if "options" in node and "exprs" in node:  # RETURNING WITH (OLD AS o)
        rows = {option["ReturningOption"]["value"]: option["ReturningOption"]["option"]
                for option in node["options"]}
        return {"exprs": plain(renamed(node["exprs"], rows))}
    if "coldeflist" in node:  # f() AS (x int) gets a name
        node = dict(node, alias=None)
    if "name" in node and "indirection" in node:  # SET a[1:2] = …
        node = dict(node, indirection=indices(node["indirection"]))
    last = node.get("names", [])[-1:]
    if last in ([{"String": {"sval": "interval"}}], [{"String": {"sval": "bpchar"}}]):
        node = dict(node, typmods=None)  # interval(0) '…'; char '…' is not char(1)
    if "_SYM" in str(node.get("kind", "")):  # BETWEEN SYMMETRIC
        name = node["name"][0]["String"]["sval"].removesuffix(" SYMMETRIC")
        kind_of = node["kind"].removesuffix("_SYM")
        node = dict(node, kind=kind_of, name=[{"String": {"sval": name}}])
    result = {}
    for key, value in node.items():
        if key in PLACES or key in LEFT_OUT:
            continue
        if key == "A_Expr" and isinstance(value, dict):
            value = dict(value, name=value.get("name", [])[-1:])  # OPERATOR(schema.+)
        part = plain(value)
        # MERGE … INSERT DEFAULT VALUES has a DEFAULT among its values.
        if part is not None and not (key == "values" and part == [{"SetToDefault": {}}]):
            result[key] = part
    return result


def sets(content):
    """Those of GROUPING SETS, with the ones within them. A ROLLUP or CUBE is printed as a call."""
    found = []
    for item in content:
        inner = item.get("GroupingSet", {})
        call = item.get("FuncCall", {})
        name = call["funcname"][-1]["String"]["sval"] if call else ""
        if inner.get("kind") == "GROUPING_SET_SETS":
            found += sets(inner["content"])
        elif name in ("rollup", "cube"):
            kind_of = f"GROUPING_SET_{name.upper()}"
            found.append({"GroupingSet": {"kind": kind_of, "content": call["args"]}})
        else:
            found.append(item)
    return found


def called(name, arguments):
    return {"FuncCall": {"funcname": [{"String": {"sval": name}}], "args": arguments}}


def xml(made):
    """What XML is made of, without names."""
    op = made["op"].removeprefix("IS_").lower()
    found = [named["ResTarget"]["val"] for named in made.get("named_args", [])]
    if op == "xmlelement" and len(found) > 1:
        found = [{"RowExpr": {"args": found, "row_format": "COERCE_IMPLICIT_CAST"}}]
    found += made.get("args", [])
    if op == "xmlparse":
        found = found[:1]
    return called(op, found or [{"A_Const": {"isnull": True}}])


def values(call):
    """What SQL/JSON looks into, by which path, what is passed to that, and what is given instead:
    the other clauses are left out."""
    path = call["pathspec"]
    found = [call["context_item"]["raw_expr"], path.get("string", path)]
    found += [passed["JsonArgument"]["val"]["raw_expr"] for passed in call.get("passing", [])]
    return found + instead(call)


def instead(call):
    given = [call.get(case, {}).get("expr") for case in ("on_empty", "on_error")]
    return [value for value in given if value]


def json_columns(columns, found):
    """The columns of JSON_TABLE, those of nested paths behind those of their level; what they give
    instead of a value is added to what is found."""
    defined, nested = [], []
    for column in (column["JsonTableColumn"] for column in columns):
        if column["coltype"] == "JTC_NESTED":
            nested += json_columns(column["columns"], found)
            continue
        found += instead(column)
        ordinal = {"names": [{"String": {"sval": "int4"}}], "typemod": -1}
        defined.append({"ColumnDef": {"colname": column["name"], "is_local": True,
                                      "typeName": column.get("typeName", ordinal)}})
    return defined + nested


def renamed(node, rows):
    """An expression in which rows are called `old` and `new`."""
    if isinstance(node, list):
        return [renamed(item, rows) for item in node]
    if not isinstance(node, dict):
        return node
    fields = node.get("ColumnRef", {}).get("fields", [])
    name = fields[0].get("String", {}).get("sval") if len(fields) > 1 else None
    if name in rows:
        row = rows[name].removeprefix("RETURNING_OPTION_").lower()
        return {"ColumnRef": {"fields": [{"String": {"sval": row}}, *fields[1:]]}}
    return {key: renamed(value, rows) for key, value in node.items()}


def indices(indirection):
    """Subscripts with all their bounds as indices: which of them is which says nothing of ids."""
    found = []
    for part in indirection:
        bounds = part.get("A_Indices")
        if bounds is None:
            found.append(part)
            continue
        bounds = [bounds[bound] for bound in ("lidx", "uidx") if bound in bounds]
        found += [{"A_Indices": {"uidx": bound}} for bound in bounds]
    return found or None


def closing(text, start):
    """The place behind the parenthesis that closes the one at a place."""
    depth, quote = 0, None
    for at in range(start, len(text)):
        sign = text[at]
        if quote:
            quote = None if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            if depth == 0:
                return at + 1
    return len(text)


def restored(text):
    """A printed statement without what stands for syntax that our parser does not know:
    `SET [index] = (1), a.[element] = 2` for `SET a[1] = 2`, `"coalesce"((SELECT 1))` for a query at
    the head of a list, and `"query" => (SELECT 1)` for one that JSON_ARRAY reads."""
    text = JOIN_NAME.sub(r"USING(\1) AS \2", RECURSION.sub("", text)).replace("\0", "")
    for head in ('"coalesce"(', '"query" => ('):
        while (at := text.find(head)) >= 0:
            end = closing(text, at + len(head) - 1)
            text = text[:at] + text[at + len(head):end - 1] + text[end:]
    mark = "[index] = "
    while target := re.search(r"[^ ]+\.\[(?:element|slice)\] = ", text):
        start = at = target.start()
        name, written = target[0][:target[0].rindex(".[")], ""
        first = text.find(mark)
        if 0 <= first < start:
            start = at = first
            while text.startswith(mark, at):
                end = closing(text, at + len(mark))
                written += f"[{text[at + len(mark):end]}]"
                at = end + len(", ")
        text = text[:start] + name + written + " = " + text[target.end():]
    return text


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
                    version = restored(version)
                    for word in ("current_role", "system_user"):
                        version = version.replace(f"{word}()", word)
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
