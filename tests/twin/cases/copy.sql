COPY out and in: formats and their options, columns, arrays, what is refused and where.

-- case: copy a table out
-- script
copy users to stdout

-- case: copy a table with ids, arrays and nulls out
-- script
copy events to stdout

-- case: copy columns out in their order
-- script
copy orders (status, user_id, id) to stdout

-- case: copy out as csv
-- script
copy events (participant_ids, id, actor_id, kind) to stdout with (format csv, header)

-- case: copy out as csv with all options
-- script
copy events (id, actor_id, kind, participant_ids) to stdout with (format csv, header true, delimiter ';', null 'none', quote '''', escape '\', force_quote (actor_id, kind), encoding 'UTF8')

-- case: copy out as csv with everything quoted
-- script
copy events (id, actor_id, participant_ids) to stdout csv force quote *

-- case: copy out as text with another delimiter and null
-- script
copy events (id, actor_id) to stdout with delimiter '|' null 'none'

-- case: copy out as text with a header
-- script
copy orders (id, note) to stdout (header)

-- case: copy out in binary
-- script
copy events (id, actor_id, participant_ids, kind) to stdout (format binary)

-- case: copy out in the oldest syntax
-- script
copy binary orders (id, user_id) to stdout; copy orders (id, user_id) to stdout using delimiters '|'

-- case: copy a query out
-- script
copy (select o.id, u.name, o.user_id from orders o join users u on u.id = o.user_id where u.id = ':users.ann' order by o.id) to stdout csv

-- case: copy an aggregate out
-- script
copy (select user_id, array_agg(id order by id), count(*) from orders group by user_id order by user_id) to stdout

-- case: copy a returned row out
-- script
copy (insert into tags (name) values ('copied') returning id, name) to stdout

-- case: copy a query without rows out in binary
-- script
copy (select id from users where id = ':fixed.unknown') to stdout binary

-- case: copy columns without ids of a protected table out
-- script
copy users (name, login_count) to stdout

-- case: copy a count out
-- script
copy (select count(*) from users) to stdout

-- case: copy out by the extended protocol
-- wire
parse c: copy orders (id, user_id) to stdout
describe statement c
bind p c
describe portal p
execute p
bind p2 c
execute p2
sync

-- case: copy between statements
-- script
select id from users where id = ':users.ann'; copy orders (id) to stdout; select id from tags order by id; copy tags to stdout csv

-- case: copy of a query that shows a key, and of catalogs that are not told as they stand
-- autocommit
-- refused: 0A000
-- script
copy (select md5(id::text) from users) to stdout

-- refused: 0A000
-- script
copy pg_sequence to stdout

-- refused: 0A000
-- script
copy pg_catalog.pg_attribute (attname, atttypid) to stdout

-- refused: 0A000
-- script
copy pg_class (relname) to stdout csv

-- case: copy in with a generated id
-- wire
query: copy orders (user_id, status, total_cents, note) from stdin
line: :users.ann~tpaid~t12~t\N
line: :users.bob~tpaid~t13~ta\tb\\c
done
query: select o.user_id, o.status, o.total_cents, o.note from orders o where total_cents in (12, 13) order by total_cents

-- case: copy in what was split anywhere
-- wire
query: copy orders (user_id, status, total_cents) from stdin
part: :users.ann
part: ~tpaid~t1
part: 2~n
line: :users.bob~tpaid~t13~n:users.cai~tvoid~t14
done
query: select user_id, status, total_cents from orders where total_cents in (12, 13, 14) order by total_cents

-- case: copy in with carriage returns and without a last newline
-- wire
query: copy orders (user_id, status, total_cents) from stdin
part: :users.ann~tpaid~t12~r~n:users.bob~tpaid~t13
done
query: select user_id, status, total_cents from orders where total_cents in (12, 13) order by total_cents

-- case: copy in up to the mark
-- wire
query: copy orders (user_id, status) from stdin
line: :users.ann~tmarked
line: \.
line: nonsense
done
query: select user_id from orders where status = 'marked'

-- case: copy in as csv
-- wire
query: copy orders (status, user_id, note, total_cents) from stdin with (format csv, header)
line: status,user_id,note,total_cents
line: paid,:users.ann,"a ""b""~nc",12
line: "paid",":users.bob",,13
done
query: select user_id, status, note, total_cents from orders where total_cents in (12, 13) order by total_cents

-- case: copy in as csv with all options
-- wire
query: copy events (kind, actor_id, participant_ids) from stdin with (format csv, header match, delimiter ';', null 'none', quote '''', escape '\', force_not_null (kind), force_null (kind))
line: kind;actor_id;participant_ids
line: '\'x\\';none;{:users.ann,:users.bob}
line: none;':users.cai';'{}'
done
query: select kind, actor_id, participant_ids from events where kind in ('''x\', 'none') order by kind

-- case: copy in with an array that holds null and is quoted
-- wire
query: copy events (kind, participant_ids) from stdin
line: arrays~t{":users.ann",NULL,:users.bob}
done
query: select participant_ids from events where kind = 'arrays'

-- case: copy in in binary
-- wire
query: copy orders (user_id, status) from stdin binary
header
tuple uuid text: :users.ann, 'binary'
tuple uuid text: :users.bob, 'binary'
trailer
done
query: select user_id from orders where status = 'binary' order by user_id

-- case: copy in arrays and nulls in binary
-- wire
query: copy events (kind, actor_id, participant_ids) from stdin (format binary)
header
tuple text uuid uuid[]: 'binary', null, '{:users.ann,:users.bob}'
tuple text uuid uuid[]: 'binary', :users.ann, '{}'
trailer
done
query: select actor_id, participant_ids from events where kind = 'binary' order by actor_id

-- case: copy in two columns of ids over smaller integers
-- wire
query: copy stock from stdin
line: :products.pad~twest~t5
done
query: select product_id, amount from stock where warehouse = 'west'

-- case: copy in with a condition on ids
-- wire
query: copy orders (user_id, status) from stdin where user_id <> ':users.ann'
line: :users.ann~tchosen
line: :users.bob~tchosen
done
query: select user_id from orders where status = 'chosen'

-- case: a bad id in the third line
-- wire
-- fails: 22P02
query: copy orders (user_id, status) from stdin
line: :users.ann~tlost
line: :users.bob~tlost
line: 42~tlost
line: :users.ann~tlost
done

-- script
select count(*) from orders where status = 'lost'

-- case: a bad id in csv and its place
-- wire
-- fails: 22P02
query: copy orders (status, user_id) from stdin csv header
line: status,user_id
line: lost,":users.ann"
line: lost,"not ""an"" id"
done

-- case: a bad array of ids
-- wire
-- fails: 22P02
query: copy events (kind, participant_ids) from stdin
line: lost~t{:users.ann,x}
done

-- case: a bad id in binary
-- wire
-- fails: 08P01
query: copy orders (user_id, status) from stdin binary
header
tuple text text: 'short', 'lost'
trailer
done

-- case: an id that stands for nothing
-- autocommit
-- wire
-- fails: 23503
query: copy orders (user_id, status) from stdin
line: :users.ann~tlost
line: :fixed.unknown~tlost
done

-- script
select count(*) from orders where status = 'lost'

-- case: a bad value beside ids
-- wire
-- fails: 22P02
query: copy orders (user_id, total_cents) from stdin
line: :users.ann~t7
line: :users.ann~tx7
done

-- case: a missing column beside ids
-- wire
-- fails: 22P04
-- except: context
query: copy orders (user_id, total_cents) from stdin
line: :users.ann~t7
line: :users.ann
done

-- case: a duplicate in copied data
-- autocommit
-- wire
-- fails: 23505
-- except: context
query: copy users (id, email, name) from stdin
line: :users.ann~tother@example.test~tAnn
done

-- case: a null in copied data
-- wire
-- fails: 23502
-- except: context detail
query: copy orders (user_id, status) from stdin
line: \N~tlost
done

-- case: line ends that change
-- wire
-- fails: 22P04
query: copy orders (user_id, status) from stdin
line: :users.ann~tlost
line: :users.ann~tlost~r
done

-- case: a quote that never ends
-- wire
-- fails: 22P04
-- except: context
query: copy orders (status, user_id) from stdin csv
line: lost,":users.ann
done

-- case: the client gives up
-- wire
-- fails: 57014
query: copy orders (user_id, status) from stdin
line: :users.ann~tlost
fail: changed my mind

-- case: copy in by the extended protocol
-- wire
parse c: copy orders (user_id, status) from stdin
bind - c
execute -
line: :users.ann~textended
line: :users.bob~textended
done
sync
query: select user_id from orders where status = 'extended' order by user_id

-- case: copy in by the extended protocol with a sync too many
-- wire
parse -: copy orders (user_id, status) from stdin
bind - -
describe portal -
execute -
flush
wait 4
line: :users.ann~textended
flush
done
sync
query: select user_id from orders where status = 'extended' order by user_id

-- case: a bad id in the extended protocol
-- wire
-- fails: 22P02
parse c: copy orders (user_id, status) from stdin
bind - c
execute -
line: :users.ann~tlost
line: nothing~tlost
line: :users.bob~tlost
done
sync

-- script
select count(*) from orders where status = 'lost'

-- case: a bad id, and the session goes on
-- autocommit
-- wire
-- fails: 22P02
query: copy orders (user_id, status) from stdin
line: nothing~tlost
line: :users.bob~tlost
done
query: select id from users where id = ':users.ann'
query: copy orders (id) to stdout
query: copy orders (user_id, status) from stdin
line: :users.ann~tkept
done
query: select user_id from orders where status = 'kept'

-- case: data after a refused copy
-- autocommit
-- wire
-- fails: 42703
query: copy orders (user_id, nothing) from stdin
line: :users.ann~tlost
done
query: select id from users where id = ':users.ann'

-- case: a null that could be a key
-- autocommit
-- refused: 0A000
-- script
copy orders to stdout (null '42')

-- case: copies of ids with options that nobody knows
-- autocommit
-- fails: 42601
-- script
copy orders to stdout (format csv, unheard_of 1)

-- case: copy of ids in another encoding
-- script
copy orders (id, note) to stdout (encoding 'latin1')

-- case: copy of ids in an encoding that hides them
-- autocommit
-- refused: 0A000
-- script
copy orders (id, note) to stdout (encoding 'sjis')
