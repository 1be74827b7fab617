-- One schema for both sides: {key} is a primary key that the database makes, {id} the type of a
-- reference to one.
create table people (
    id {key},
    email text not null unique,
    name text not null,
    version int not null default 1
);
create table posts (
    id {key},
    person_id {id} not null references people on delete cascade,
    title text not null,
    body jsonb,
    ordinal int unique
);
create table tags (id {key}, name text not null unique);
create table post_tags (
    post_id {id} not null references posts on delete cascade,
    tag_id {id} not null references tags on delete cascade,
    primary key (post_id, tag_id)
);
create table groups (id {key}, name text not null, member_ids {id}[] not null default '{}');
create index on posts (person_id);
