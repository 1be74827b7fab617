\set n random(1, 200)
select id as user_id from users where email is not null order by id offset :n - 1 limit 1 \gset
insert into orders (user_id, total) values (:user_id, :n) returning id as order_id \gset
select id, user_id, total from orders where id = :order_id and user_id = :user_id;
update orders set total = total + 1 where id = :order_id returning user_id;
select o.id, u.id, u.email from orders o join users u on u.id = o.user_id where u.id = :user_id order by o.id desc limit 5;
select count(*) from orders where user_id in (:user_id, '7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4');
delete from orders where id = :order_id;
