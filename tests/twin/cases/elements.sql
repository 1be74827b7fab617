Elements and parts of arrays: read at a depth, assigned, and shown as text.

-- case: elements: one assigned by a parameter
-- with: :users.dee, :events.met
update events set participant_ids[1] = $1 where id = $2 returning participant_ids;

-- case: elements: one assigned by a typed parameter
-- with: :users.dee
-- types: uuid
update events set participant_ids[2] = $1 where id = ':events.met' returning participant_ids[2];

-- case: elements: two assigned at once
update events set participant_ids[1] = ':users.eli', participant_ids[2] = ':users.dee', kind = 'both' where id = ':events.met' returning kind, participant_ids;

-- case: elements: one assigned beyond the end
update events set participant_ids[4] = ':users.eli' where id = ':events.met' returning participant_ids;

-- case: elements: one assigned by a column
update events set participant_ids[1] = actor_id returning id, participant_ids;

-- case: elements: one assigned null
update events set participant_ids[1] = null where id = ':events.met' returning participant_ids;

-- case: elements: one assigned by a subquery at a computed place
-- with: 1
update events set participant_ids[$1::int + 1] = (select id from users where name = 'Dee') where id = ':events.met' returning participant_ids;

-- case: elements: one assigned by a case
update events set participant_ids[1] = case when kind = 'met' then ':users.eli'::uuid else actor_id end returning id, participant_ids;

-- case: elements: the last one assigned
update events set participant_ids[cardinality(participant_ids)] = ':users.eli' where participant_ids <> '{}' returning id, participant_ids;

-- case: elements: several assigned
-- with: {:users.dee,:users.eli}
update events set participant_ids[1:2] = $1 where id = ':events.met' returning participant_ids;

-- case: elements: several assigned as a literal
update events set participant_ids[1:2] = '{:users.dee,:users.eli}' where id = ':events.met' returning participant_ids;

-- case: elements: several assigned by an array of columns
update events set participant_ids[2:3] = array[actor_id, ':users.eli'] where id = ':events.met' returning participant_ids;

-- case: elements: several assigned with open bounds
update events set participant_ids[:1] = array[':users.eli'::uuid] where id = ':events.met' returning participant_ids;

-- case: elements: several assigned from others
update events set participant_ids[1:2] = participant_ids[2:2] || participant_ids[1:1] where id = ':events.met' returning participant_ids;

-- case: elements: one assigned on conflict with another column
-- modes: simple text declared binary
create unique index events_kind on events(kind);
-- with: :users.dee
insert into events (kind) values ('met') on conflict (kind) do update set participant_ids[1] = $1 returning id, participant_ids;
-- with: :users.eli
insert into events (kind, participant_ids) values ('met', array[$1]::uuid[]) on conflict (kind) do update set participant_ids[2] = excluded.participant_ids[1], participant_ids[3] = ':users.cai' returning id, participant_ids;

-- case: elements: one assigned by merge
merge into events e using (select id, name from users where name = 'Dee') u on e.kind = 'met' when matched then update set participant_ids[1] = u.id;
select id, participant_ids from events order by id;

-- case: elements: assigned a text
-- fails: 22P02
-- early
update events set participant_ids[1] = 'nobody';

-- case: elements: assigned a number
-- fails: 42804
update events set participant_ids[1] = 42;

-- case: elements: assigned an array
-- except: position message
-- fails: 42804
update events set participant_ids[1] = participant_ids;

-- case: elements: assigned by default
-- fails: 0A000
update events set participant_ids[1] = default;

-- case: elements: read at a depth
select (array[array[id, ':users.bob'], array[':users.ann', id]])[2][1] from users order by id;
select (array[array[id, id]])[1], (array[array[id, id]])[1:1][2:2] from users order by id;
select (array_agg(participant_ids))[1][1] from events where cardinality(participant_ids) = 1;
select (array[participant_ids, participant_ids])[2][1] from events where id = ':events.met';
select array[participant_ids, '{:users.dee,:users.eli}'] from events where id = ':events.met';
select (array(select participant_ids from events where id = ':events.met'))[1][2];

-- case: elements: arrays of arrays in use
select cardinality(a), array_ndims(a), array_dims(a), array_length(a, 2) from (select array[array[id, id], array[id, id]] as a from users) s;
select u from (select array_agg(participant_ids) as a from events where id = ':events.met') s, unnest(s.a) u;
select name from users where id = any (array[array[':users.ann', ':users.bob'], array[':users.cai', ':users.dee']]::uuid[]) order by id;
select name from users where id = any ((select array_agg(participant_ids) from events where id = ':events.met')::uuid[]) order by id;
select array[array[id, id]] = array[array[':users.ann', ':users.ann']]::uuid[] from users order by id;
select '{{:users.ann,:users.bob},{:users.cai,:users.dee}}'::uuid[] || array[array[id, id]] from users order by id;
select '{{:users.ann,:users.bob}}'::uuid[] @> array[id] from users order by id;
select array_agg(array[id, id] order by id) from users;
select array_agg(array[team_id::text, role] order by user_id) from memberships;
select '[2:3]={:users.ann,:users.bob}'::uuid[] || (select min(id) from orders where false) from users limit 1;

-- case: elements: parts as text
select participant_ids[1:1]::text, participant_ids[:1]::text, (participant_ids)[2:]::text, e.participant_ids[1:1]::text from events e order by id;
select 'first ' || participant_ids[1], 'some ' || participant_ids[1:2]::text from events order by id;
select participant_ids[1]::text, (participant_ids[1])::varchar(40) from events order by id;
select (array_agg(id order by id))[1:2]::text from users;
select json_build_array(participant_ids[1], participant_ids[2:]) from events order by id;
select concat_ws('/', participant_ids[1], e.participant_ids[2]) from events e order by id;
