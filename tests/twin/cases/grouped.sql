Aggregates over sorted groups, and all that follows GROUP BY.

-- case: grouped: the id that occurs most often
select mode() within group (order by user_id) from orders;

-- case: grouped: the most frequent id of each group
select status, mode() within group (order by user_id desc) as most from orders group by status order by status;

-- case: grouped: the id in the middle
select percentile_disc(0.5) within group (order by id) from users;

-- case: grouped: an id by a fraction that is a parameter
-- with: 0.25
select percentile_disc($1::float8) within group (order by id desc) from users;

-- case: grouped: quartiles of ids
select percentile_disc(array[0.25, 0.5, 0.75]) within group (order by id) from users;
select unnest(percentile_disc(array[0, 1]) within group (order by id)) as id from users order by 1;

-- case: grouped: the middle of the ids that a filter leaves
select percentile_disc(0.5) within group (order by id) filter (where is_active), count(*) from users;

-- case: grouped: a middle id is compared and joined
select u.name from users u where u.id = (select percentile_disc(0) within group (order by user_id) from orders);
select u.name, m.status from (select status, mode() within group (order by user_id) as id from orders group by status) m join users u using (id) order by m.status;

-- case: grouped: the middle of ids between others is not there
-- fails: 42883
-- except: hint
select percentile_cont(0.5) within group (order by id) from users;
select percentile_cont(0.5) within group (order by total_cents), mode() within group (order by status) from orders;

-- case: grouped: the place that an id would have
select rank(':users.cai') within group (order by id) from users;
-- with: :users.bob
select rank($1) within group (order by user_id), dense_rank($1) within group (order by user_id desc) from orders;
select percent_rank(':users.bob'::uuid) within group (order by id), cume_dist(':users.bob') within group (order by id) from users;
select rank(':users.bob', 'paid') within group (order by user_id, status) from orders;

-- case: grouped: the place of what is no id
-- fails: 42804
-- except: position
select rank(5) within group (order by id) from users;
-- fails: 22P02
select rank('x') within group (order by id) from users;
-- fails: 42804
-- except: position
select rank(true, 'paid') within group (order by user_id, status) from orders;

-- case: grouped: the place of an id of another domain
-- refused: 0A000
select rank((select max(id) from orders)) within group (order by id) from users;

-- case: lists of ids as text in order
select array_to_string(array_agg(id order by id), ', ') as ids, user_id from orders group by user_id order by 1;
