\set ON_ERROR_STOP on
select id as ann from users where email = 'ann@example.test' \gset
select name from users where id = :'ann';
select name, id = :'ann' as same from users order by id limit 1;
insert into orders (user_id, status) values (:'ann', 'psql') returning id as made \gset
select status from orders where id = :'made' and user_id = :'ann';
begin;
update orders set status = 'sent' where id = :'made';
rollback;
select status from orders where id = :'made';
delete from orders where id = :'made';
select case when :'ann' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then 'a uuid' else 'none' end as shown;
\set ON_ERROR_STOP off
select id + 1 from users;
\echo :SQLSTATE
select md5(id::text) from users;
\echo :SQLSTATE
select id, user_id from orders \gdesc
\dt
\d settings
