-- tuid(): a millisecond and 80 random bits in a column of type uuid. It has no version and no
-- variant: every bit but the time is random. For Postgres 13 and later.
--
--   48 bits   milliseconds since 1970
--   80 bits   random
--
-- Ids of one millisecond are in random order.
--
--   CREATE TABLE users (id uuid PRIMARY KEY DEFAULT tuid(), name text);
--
-- In pgveil's configuration: codec = "aes", which takes any sixteen bytes; and perhaps
-- form = "compact", so that clients see ids as short as tuid_compact() writes them.

CREATE FUNCTION tuid() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
    SELECT encode(
        substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        -- Ten bytes of a UUID of version 4 that are random, without those that hold its version
        -- and its variant.
        || substring(noise FROM 1 FOR 6) || substring(noise FROM 10 FOR 4),
        'hex')::uuid
    FROM (SELECT uuid_send(gen_random_uuid()) AS noise) AS random
$$;

-- The time at which an id was made, to the millisecond.
CREATE FUNCTION tuid_timestamp(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT to_timestamp(('x' || substr(encode(uuid_send(id), 'hex'), 1, 12))::bit(48)::bigint / 1000.0)
$$;

-- 22 characters of base64url, without padding. They do not sort as the ids do.
CREATE FUNCTION tuid_compact(id uuid) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT translate(rtrim(encode(uuid_send(id), 'base64'), '='), '+/', '-_')
$$;

-- The inverse of tuid_compact().
CREATE FUNCTION tuid_from_compact(compact text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT encode(decode(translate(compact, '-_', '+/') || '==', 'base64'), 'hex')::uuid
$$;
