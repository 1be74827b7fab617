Documents with ids in them in the data of COPY.

-- case: copied documents: in as text
-- wire
query: copy letters (body, raw) from stdin
line: {"title": "copied one", "user": {"id": ":users.dee"}, "to": [":users.eli"]}~t{"from":  ":users.ann"}
line: {"title": "copied two", "n": "a\\\\tb"}~t\N
done
query: select body, raw from letters where body ->> 'title' like 'copied%' order by id

-- case: copied documents: in as csv
-- wire
query: copy letters (raw, body) from stdin (format csv)
line: "{""from"": "":users.ann"", ""x"": [1, 2]}","{""title"": ""copied"", ""user"": {""id"": "":users.dee""}}"
done
query: select body, raw from letters where body ->> 'title' like 'copied%' order by id

-- case: copied documents: in columns of text
-- wire
query: copy memos (body, short) from stdin
line: {"author": {"id": ":users.dee"},  "watchers": [":users.eli"]}~t{"order": ":orders.one"}
line: \N~t{"order": null}
done
query: select body, short from memos where short is not null order by id

-- case: copied documents: numbers
-- wire
query: copy parcels (doc, holders) from stdin
line: {"owner": ":users.dee", "lines": [{"order": ":orders.one", "n": 7}]}~t[":users.ann"]
done
query: select doc, holders, doc -> 'lines' -> 0 ->> 'order' from parcels where doc @> '{"lines": [{"order": ":orders.one"}]}'

-- case: copied documents: out after a change
update letters set body = body || '{"user": {"id": ":users.eli"}}' where id = ':letters.one';
copy (select body from letters where id = ':letters.one') to stdout;
copy archived_letters to stdout;
copy (select id, doc -> 'lines' from parcels order by id) to stdout (format csv, force_quote *);
copy parcels (holders) to stdout (format binary);
