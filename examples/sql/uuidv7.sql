-- uuidv7(): UUIDs of version 7 (RFC 9562) for Postgres 13 to 17. Postgres 18 has a function of this
-- name built in; there, leave this file out.
--
--   48 bits   milliseconds since 1970
--    4 bits   the version, 7
--   12 bits   the fraction of the millisecond, in 4096 parts
--    2 bits   the variant
--   62 bits   random
--
-- Ids sort by the microsecond in which they were made. Two of one microsecond are in random order.
--
--   CREATE TABLE users (id uuid PRIMARY KEY DEFAULT uuidv7(), name text);
--
-- In pgveil's configuration such a column needs no codec of its own: the default is `uuid`.

CREATE FUNCTION uuidv7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
    SELECT encode(
        -- The variant and 62 random bits are those of a UUID of version 4.
        overlay(
            uuid_send(gen_random_uuid())
            PLACING substring(int8send(us / 1000) FROM 3)          -- six bytes of milliseconds
                 || int2send((28672 + us % 1000 * 4096 / 1000)::smallint)  -- 0x7000 and twelve bits
            FROM 1 FOR 8),
        'hex')::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS clock
$$;

-- The time at which an id was made, to the millisecond.
CREATE FUNCTION uuidv7_timestamp(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT to_timestamp(('x' || substr(encode(uuid_send(id), 'hex'), 1, 12))::bit(48)::bigint / 1000.0)
$$;
