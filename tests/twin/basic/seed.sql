insert into owners (id, name, referrer_id) values
  (':owners.ann', 'Ann', null), (':owners.bob', 'Bob', ':owners.ann'),
  (':owners.cai', 'Cai', ':owners.ann'), (':owners.dee', 'Dee', null);
insert into things (id, owner_id, watcher_ids, label, size) values
  (':things.pen', ':owners.ann', array[':owners.bob', ':owners.cai']::{key}[], 'pen', 1),
  (':things.ink', ':owners.ann', '{}', 'ink', 2),
  (':things.pad', ':owners.bob', array[':owners.ann', null]::{key}[], 'pad', 3);
insert into shares (thing_id, owner_id, part) values
  (':things.pen', ':owners.bob', 1), (':things.pen', ':owners.cai', 2), (':things.pad', ':owners.ann', 3);
