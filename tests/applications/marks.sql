-- Keys of each type whose ids are of it, and among them marks by which an application means
-- something else: nobody, a guest, the last of all. Each table is referred to once.
create table people (id uuid primary key, n int);
insert into people select ('0190a1b2-c3d4-7' || lpad(n::text, 3, '0') || '-8000-a1b2c3d4e5f6')::uuid, n
    from generate_series(1, 20) n;
insert into people values ('00000000-0000-0000-0000-000000000000', 0);

create table guests (id text primary key, n int);
insert into guests select lpad(n::text, 32, 'abc0'), n from generate_series(1, 20) n;
insert into guests values ('', 0), ('guest', -1);

create table seats (id int primary key, n int);
insert into seats select 555550000 + n, n from generate_series(1, 20) n;
insert into seats values (2000000000, 21);

create table marks (n int, person uuid references people, guest text references guests,
    seat int references seats, body jsonb);
insert into marks select n, p.id, g.id, s.id,
    jsonb_build_object('person', p.id, 'guest', g.id, 'seat', s.id)
    from people p join guests g using (n) join seats s using (n);
insert into marks values
    (0, '00000000-0000-0000-0000-000000000000', '', 2000000000,
        '{"person": "00000000-0000-0000-0000-000000000000", "guest": "", "seat": 2000000000}'),
    (-1, '00000000-0000-0000-0000-000000000000', 'guest', 2000000000,
        '{"person": "00000000-0000-0000-0000-000000000000", "guest": "guest", "seat": 2000000000}');
