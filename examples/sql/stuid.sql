-- stuid(): a microsecond and 192 random bits in a column of type bytea, for ids that are secrets:
-- of sessions, of links that let somebody in. For Postgres 13 and later.
--
--   8 bytes    microseconds since 1970
--   24 bytes   random
--
-- Ids of one microsecond are in random order.
--
--   CREATE TABLE logins (id bytea PRIMARY KEY DEFAULT stuid(), user_id bigint);
--
-- In pgveil's configuration: codec = "wide"; and perhaps form = "compact43", so that clients see
-- ids as short as stuid_compact() writes them.

CREATE FUNCTION stuid() RETURNS bytea
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
    SELECT int8send(floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
        -- Of each of two UUIDs of version 4 twelve bytes that are random, without those that hold
        -- its version and its variant.
        || substring(one FROM 1 FOR 6) || substring(one FROM 10 FOR 6)
        || substring(two FROM 1 FOR 6) || substring(two FROM 10 FOR 6)
    FROM (SELECT uuid_send(gen_random_uuid()) AS one, uuid_send(gen_random_uuid()) AS two) AS random
$$;

-- The time at which an id was made, to the microsecond.
CREATE FUNCTION stuid_timestamp(id bytea) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT timestamptz 'epoch'
        + ('x' || encode(substring(id FROM 1 FOR 8), 'hex'))::bit(64)::bigint * interval '1 microsecond'
$$;

-- 43 characters of base64url, without padding. They do not sort as the ids do.
CREATE FUNCTION stuid_compact(id bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT translate(rtrim(encode(id, 'base64'), '='), '+/', '-_')
$$;

-- The inverse of stuid_compact().
CREATE FUNCTION stuid_from_compact(compact text) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT decode(translate(compact, '-_', '+/') || '=', 'base64')
$$;
