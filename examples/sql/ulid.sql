-- ulid(): ULIDs, 26 characters of Crockford's base32 in upper case. For Postgres 13 and later.
--
--   48 bits   milliseconds since 1970
--   80 bits   random
--
-- Ids sort as texts by the millisecond in which they were made; those of one millisecond are in
-- random order. COLLATE "C" makes comparing them a comparison of bytes.
--
--   CREATE TABLE users (id text COLLATE "C" PRIMARY KEY DEFAULT ulid(), name text);
--
-- In pgveil's configuration: key_form = "ulid" says how the keys are written; form = "native" shows
-- ULIDs outside too. A column that takes ULIDs from elsewhere should insist on their one spelling:
--
--   CHECK (id ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$')

CREATE FUNCTION ulid() RETURNS text
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
    SELECT string_agg(
        -- Five bits each, from the first on; two zeros before them make 130 bits of 128.
        substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + substring(bits FROM 1 + 5 * place FOR 5)::integer, 1),
        '' ORDER BY place)
    FROM (
        SELECT B'00' || ('x' || encode(
            substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            || substring(noise FROM 1 FOR 6) || substring(noise FROM 10 FOR 4),
            'hex'))::bit(128) AS bits
        -- Ten bytes of a UUID of version 4 that are random, without those that hold its version
        -- and its variant.
        FROM (SELECT uuid_send(gen_random_uuid()) AS noise) AS random
    ) AS id, generate_series(0, 25) AS place
$$;

-- The time at which an id was made, to the millisecond: the first ten digits.
CREATE FUNCTION ulid_timestamp(id text) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT to_timestamp(sum(
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, place, 1)) - 1)::bigint << 5 * (10 - place)
    ) / 1000.0)
    FROM generate_series(1, 10) AS place
$$;
