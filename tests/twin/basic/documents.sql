Ids inside documents, for each kind of key and of id.

-- case: documents: shown
select * from notes order by n;
select doc, raw, said from notes order by n;
select doc -> 'w', doc -> 's', doc -> 'to', doc -> 'to' -> 0, raw -> 'w', said::json -> 'w' from notes where n < 4 order by n;

-- case: documents: members as text
select doc ->> 'w', doc ->> 's', doc #>> '{w}', raw ->> 'w', said::json ->> 'w' from notes where n < 4 order by n;
select doc ->> 'title', doc ->> 'w', n from notes order by n;
select e from notes, jsonb_array_elements_text(doc -> 'to') e order by n, e;
select jsonb_array_elements_text(doc -> 'to') from notes where n < 3 order by n;

-- case: documents: members as ids
select (doc ->> 'w')::{shown}, cast(raw ->> 'w' as {shown}) from notes order by n;
-- with: :owners.bob
select n from notes where (doc ->> 'w')::{shown} = $1;
select n from notes where (doc ->> 'w')::{shown} = ':owners.bob' or (raw ->> 'w')::{shown} = ':owners.cai' order by n;
select o.name, n from notes join owners o on o.id = (doc ->> 'w')::{shown} order by n;
select n, o.name from notes left join owners o on o.id = (said::json ->> 'w')::{shown} where n < 4 order by n;
select n from notes where (doc ->> 'w')::{shown} in (select id from owners where name <> 'Ann') order by n;
select n from notes where (doc ->> 'w')::{shown} is null order by n;
select count(doc ->> 'w'), count(distinct doc ->> 's') from notes;
-- with: :fixed.unknown
select n from notes where (doc ->> 'w')::{shown} = $1;

-- case: documents: members in text and json
select 'of ' || (doc ->> 'w'), concat(doc ->> 's', '!') from notes order by n;
select coalesce(doc ->> 'w', 'nobody') from notes order by n;
select json_build_object('w', doc ->> 'w', 'doc', doc -> 'w') from notes order by n;

-- case: documents: compared as strings
-- with: '{"s": ":owners.bob"}'
select n from notes where doc @> $1;
select n from notes where doc @> '{"s": ":owners.cai"}';
select n from notes where doc @> '{"s": "nobody"}' or doc @> '{"s": ""}';
select n from notes where doc ->> 's' = ':owners.cai';
select n from notes where doc ->> 's' = 'nobody';

-- case: documents: stored and changed
-- modes: simple text declared binary
-- with: '{"s": ":owners.dee", "to": [], "x": 1}'
insert into notes (n, doc) values (6, $1) returning doc, doc ->> 's';
update notes set doc = '{"s": ":owners.dee"}' where n = 1 returning doc;
update notes set doc = doc || '{"s": ":owners.ann"}' where n = 2 returning doc -> 's', doc ->> 's';
insert into notes (n, doc, raw, said) select n + 10, doc, raw, said from notes where n < 4 returning doc, raw, said;

-- case: documents: compared for order
-- refused: 0A000
select n from notes where doc -> 'w' > '"x"';
-- refused: 0A000
select n from notes where doc -> 's' between '"a"' and '"z"';
-- refused: 0A000
select n from notes where (doc -> 's', n) < ('"a"', 0);
-- refused: 0A000
select n from notes where doc -> 'w' < any (array['5'::jsonb]);
-- refused: 0A000
select n from notes where doc -> 'to' >= '[]';
-- refused: 0A000
select n from notes where array[doc -> 'w'] > array['5'::jsonb];
-- refused: 0A000
select n from notes where doc <= '{}';
-- refused: 0A000
select greatest(doc -> 'w', '5') from notes;
-- refused: 0A000
select least('"a"', doc -> 's') from notes;
-- refused: 0A000
select rank('5') within group (order by doc -> 'w') from notes;
-- refused: 0A000
select a.n from notes a join notes b on a.doc < b.doc;
-- with: '"x"'
-- refused: 0A000
select n from notes where doc -> 'w' >= $1;
select n from notes where doc -> 'no' > '5' or doc -> 'title' < '"a"' order by n;
-- with: '5'
select n, greatest(doc -> 'no', $1) from notes where doc -> 'no' > $1 order by n;

-- case: documents: what is no id in the place of one
-- refused: 22023
-- early
select n from notes where doc @> '{"w": {"x": 1}}';
-- refused: 22023
-- early
select n from notes where doc -> 'w' <@ '[":owners.ann"]';
-- refused: 22023
-- early
select n from notes where doc @> '{"s": true}';
-- with: '{"w": {"x": 1}}'
-- refused: 22023
select n from notes where doc @> $1;
-- refused: 0A000
-- early
select n from notes where doc ->> 'to' = 'x';
-- refused: 0A000
-- early
select coalesce(doc ->> 'to', 'none') from notes;
-- with: 'x'
-- refused: 0A000
select n from notes where doc ->> 'to' in ($1, '[]');
select n from notes where doc ->> 'to' = '[]' or doc -> 'to' = '[]' order by n;
