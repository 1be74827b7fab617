-- sequence_uuid(): the next number of a sequence and 64 random bits in a column of type uuid. For
-- Postgres 13 and later.
--
--   64 bits   the number, which makes two ids differ whatever the rest is
--   64 bits   random, so that nobody guesses an id from its neighbour
--
-- Ids are strictly in the order of the sequence, and never collide as long as it does not cycle.
--
--   CREATE SEQUENCE user_number;
--   CREATE TABLE users (id uuid PRIMARY KEY DEFAULT sequence_uuid('user_number'), name text);
--
-- In pgveil's configuration: codec = "aes", or "cycle_walk", since the first bit of a number that
-- is not negative is clear.

CREATE FUNCTION sequence_uuid(sequence regclass) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL UNSAFE
AS $$
    SELECT encode(
        int8send(nextval(sequence))
        -- Eight random bytes of a UUID of version 4, without those that hold its version and its
        -- variant.
        || substring(noise FROM 1 FOR 6) || substring(noise FROM 10 FOR 2),
        'hex')::uuid
    FROM (SELECT uuid_send(gen_random_uuid()) AS noise) AS random
$$;

-- The number in an id.
CREATE FUNCTION sequence_uuid_number(id uuid) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT ('x' || substr(encode(uuid_send(id), 'hex'), 1, 16))::bit(64)::bigint
$$;
