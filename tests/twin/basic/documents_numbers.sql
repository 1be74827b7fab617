Ids inside documents, where both keys and ids are numbers.

-- case: documents: numbers and strings are two things
select n from notes where doc @> '{"w": :owners.bob}';
select n from notes where doc @> '{"w": ":owners.bob"}';
select n from notes where doc @> '{"s": ":owners.bob"}';
select n from notes where doc @> '{"s": :owners.bob}';
select n from notes where doc @> '{"s": " :owners.bob"}' or doc @> '{"s": "0:owners.bob"}' or doc @> '{"s": "+:owners.bob"}';
-- with: '{"w": :owners.cai}'
select n from notes where doc @> $1;
-- with: '{"w": ":owners.cai"}'
select n from notes where doc @> $1;
select n from notes where doc -> 'w' = ':owners.bob';
select n from notes where doc -> 's' = '":owners.bob"';
select n from notes where doc -> 'to' @> ':owners.bob' or doc -> 'to' @> '[:owners.cai]' order by n;
select n from notes where doc -> 'to' @> '":owners.bob"';

-- case: documents: numbers and strings are stored as they come
-- modes: simple text declared binary
insert into notes (n, doc) values (6, '{"w": :owners.dee, "s": ":owners.dee", "to": [:owners.ann]}') returning doc;

-- case: documents: a number in another spelling
-- refused: 22023
-- early
select n from notes where doc @> '{"w": 5.0}';
-- refused: 22023
-- early
select n from notes where doc -> 'w' = '5e0';
