insert into owners (id, name, referrer_id) values
  (':owners.ann', 'Ann', null), (':owners.bob', 'Bob', ':owners.ann'),
  (':owners.cai', 'Cai', ':owners.ann'), (':owners.dee', 'Dee', null);
insert into things (id, owner_id, watcher_ids, label, size) values
  (':things.pen', ':owners.ann', array[':owners.bob', ':owners.cai']::{key}[], 'pen', 1),
  (':things.ink', ':owners.ann', '{}', 'ink', 2),
  (':things.pad', ':owners.bob', array[':owners.ann', null]::{key}[], 'pad', 3);
insert into shares (thing_id, owner_id, part) values
  (':things.pen', ':owners.bob', 1), (':things.pen', ':owners.cai', 2), (':things.pad', ':owners.ann', 3);
insert into notes (n, doc, raw, said)
  select row_number() over (order by o), jsonb_build_object('w', to_jsonb(o), 's', o::text, 'to', jsonb_build_array(o, null), 'title', 'Note', 'no', 7), json_build_object('w', o, 'x', 1), json_build_object('w', o, 'n', 5)::text
  from unnest(array[':owners.ann', ':owners.bob', ':owners.cai']::{key}[]) o;
insert into notes (n, doc, raw, said) values (4, '{"w": null, "to": []}', null, ''), (5, '{"title": "none"}', '{}', null);
