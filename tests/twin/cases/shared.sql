Statements that come again with other literals, on relations whose definitions compute with keys: they share a plan.

-- case: shared: ids alone, found and malformed
insert into guarded values (':users.ann', 'one', 1), (':users.bob', 'two', 2);
-- fails: 22P02
select kind from guarded where owner = 'a' limit 1;
-- fails: 22P02
select kind from guarded where owner = 'b' limit 1;
-- fails: 22P02
select kind from guarded where owner = 'c' limit 1;
-- fails: 22P02
select kind from guarded where owner = 'd' limit 1;
select kind from guarded where owner = ':users.ann' limit 1;
select kind from guarded where owner = ':users.bob' limit 1;
select kind from guarded where owner = ':users.cai' limit 3000000000;
select kind from guarded where owner = ':users.ann' limit 7;
-- fails: 22P02
select kind from guarded where owner = 'e' limit 1;

-- case: shared: numbers alone, of each type and in turns
insert into guarded values (':users.ann', 'n', 1);
insert into guarded values (':users.bob', 'n', 1.5);
insert into guarded values (':users.cai', 'n', 3000000000);
insert into guarded values (':users.dee', 'n', 7);
insert into guarded values (':users.ann', 'n', 2.5);
insert into guarded values (':users.bob', 'n', 4000000000);
insert into guarded values (':users.cai', 'n', 1);
insert into guarded values (':users.dee', 'n', 1.5);
insert into guarded values (':users.ann', 'n', 3000000000);
insert into guarded values (':users.bob', 'n', 99999999999999999999);
insert into guarded values (':users.cai', 'n', -1);
insert into guarded values (':users.dee', 'n', 1e3);
select owner, amount from guarded order by amount, owner;
update guarded set amount = 1 where owner = ':users.ann' and amount > 3000000000 returning owner, amount;
update guarded set amount = 1.5 where owner = ':users.ann' and amount > 1.5 returning owner, amount;
update guarded set amount = 3000000000 where owner = ':users.ann' and amount > 1 returning owner, amount;
update guarded set amount = 7 where owner = ':users.ann' and amount > 4000000000 returning owner, amount;
update guarded set amount = 2.5 where owner = ':users.ann' and amount > 2.5 returning owner, amount;
update guarded set amount = 4000000000 where owner = ':users.ann' and amount > 7 returning owner, amount;
update guarded set amount = 1 where owner = ':users.ann' and amount > 3000000000 returning owner, amount;
update guarded set amount = 1.5 where owner = ':users.ann' and amount > 1.5 returning owner, amount;
update guarded set amount = 3000000000 where owner = ':users.ann' and amount > 1 returning owner, amount;
select owner, amount from guarded order by amount, owner;

-- case: shared: errors of what is stored say what the client sent
-- fails: 23502
insert into guarded values (null, 'k', 1);
-- fails: 23502
insert into guarded values (null, 'k', 1.5);
-- fails: 23502
insert into guarded values (null, 'k', 3000000000);
-- fails: 22P02
insert into guarded values ('a', 'k', 1);
-- fails: 22P02
insert into guarded values ('b', 'k', 2);
-- fails: 22P02
insert into guarded values ('c', 'k', 1.5);

-- case: shared: a domain over keys and a policy
insert into domained (owner, n) values (':users.ann', 1);
insert into domained (owner, n) values (':users.bob', 2);
insert into domained (owner, n) values (':users.cai', 3);
select owner, n from domained where owner = ':users.ann' and n in (1, 1) limit 1;
select owner, n from domained where owner = ':users.bob' and n in (1, 2) limit 5;
select owner, n from domained where owner = ':users.cai' and n in (7, 3) limit 3000000000;
select owner, n from domained where owner = ':users.dee' and n in (1, 2) limit 1;
select number from desks where owner_id = ':users.ann' limit 1;
select number from desks where owner_id = ':users.bob' limit 1;
select number from desks where owner_id = ':users.cai' limit 2;
select number from desks where owner_id = ':users.dee' limit 3000000000;
