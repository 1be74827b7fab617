-- Two id domains in a few tables. {id NAME} is the defining column of a domain, with its default;
-- {key} the type of a reference.
create table owners (
  id {id owners} constraint owners_pkey primary key,
  name text not null,
  referrer_id {key} constraint owners_referrer_id_fkey references owners(id)
);
create table things (
  id {id things} constraint things_pkey primary key,
  owner_id {key} not null constraint things_owner_id_fkey references owners(id) on delete cascade,
  watcher_ids {key}[] not null default '{}',  -- soft references to owners
  label text not null,
  size integer not null default 0
);
create table shares (
  thing_id {key} not null constraint shares_thing_id_fkey references things(id),
  owner_id {key} not null constraint shares_owner_id_fkey references owners(id),
  part integer not null default 1,
  constraint shares_pkey primary key (thing_id, owner_id)
);
-- Ids inside documents.
create table notes (
  n integer primary key,
  doc jsonb not null,
  raw json,
  said text
);
create view owned as
  select o.id as owner_id, o.name, t.id as thing_id, t.label from owners o join things t on t.owner_id = o.id;
create function behind(owner {key}) returns setof text stable language sql as
  'select name from owners where id > owner order by id';
