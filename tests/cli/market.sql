-- A market of some thirty tables, as applications make them: with and without foreign keys.
CREATE SCHEMA billing;
CREATE SCHEMA "Support Desk";
CREATE TABLE users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text UNIQUE, login_count bigint, auth_subject uuid);
CREATE TABLE profiles (user_id bigint PRIMARY KEY REFERENCES users, bio text, preferences jsonb);
CREATE TABLE tenants (id serial PRIMARY KEY, slug text UNIQUE, owner_id bigint REFERENCES users);
CREATE TABLE categories (id integer PRIMARY KEY, parent_id integer, name text);
CREATE TABLE products (id bigserial PRIMARY KEY, category_id integer REFERENCES categories, sku text UNIQUE, price_cents bigint, stock integer, related_product_ids bigint[]);
CREATE TABLE product_images (id bigserial PRIMARY KEY, product_id bigint REFERENCES products, sort_order integer, width integer, height integer);
-- Composite keys, and a chain through them.
CREATE TABLE orders (tenant_id integer REFERENCES tenants, id bigserial, buyer_id bigint, billing_user_id bigint, coupon_id bigint, status text, total_cents bigint, PRIMARY KEY (tenant_id, id));
CREATE TABLE order_lines (tenant_id integer, order_id bigint, line_no smallint, product_id bigint REFERENCES products, PRIMARY KEY (tenant_id, order_id, line_no), FOREIGN KEY (tenant_id, order_id) REFERENCES orders);
CREATE TABLE shipments (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tenant_id integer, order_id bigint, line_no smallint, carrier_id integer, FOREIGN KEY (tenant_id, order_id, line_no) REFERENCES order_lines);
CREATE TABLE coupons (id bigint PRIMARY KEY, code text UNIQUE, created_by bigint);
-- Soft references, roles, arrays.
CREATE TABLE carts (id bigserial PRIMARY KEY, user_id bigint, product_ids bigint[], updated_at timestamptz);
CREATE TABLE conversations (id bigserial PRIMARY KEY, participant_ids bigint[], subject text);
CREATE TABLE messages (id bigserial PRIMARY KEY, conversation_id bigint, sender_id bigint, reply_to_id bigint, body text);
CREATE TABLE reviews (id bigserial PRIMARY KEY, product_id bigint, author_id bigint, stars smallint, moderated_by bigint);
CREATE TABLE follows (follower_id bigint, followee_id bigint, PRIMARY KEY (follower_id, followee_id));
CREATE TABLE imports (id bigserial PRIMARY KEY, legacy_id integer, external_ref text, finished boolean);
CREATE TABLE wallets (wallet_no bigint PRIMARY KEY, holder bigint);
COMMENT ON COLUMN wallets.holder IS 'the id of one of our users';
CREATE TABLE wallet_entries (id bigserial PRIMARY KEY, wallet_no bigint, amount_cents bigint, balance_cents bigint);
-- One column that refers to two keys.
CREATE TABLE customers (id bigserial PRIMARY KEY, reviewers bigint[]);
CREATE TABLE former_customers (id bigint PRIMARY KEY);
CREATE TABLE mergers (customer_id bigint REFERENCES customers REFERENCES former_customers);
-- Rows of any table.
CREATE TABLE comments (id bigserial PRIMARY KEY, commentable_type text, commentable_id bigint, author_id bigint REFERENCES users);
CREATE TABLE versions (id bigserial PRIMARY KEY, item_type text, item_id bigint, whodunnit text, object text, object_changes jsonb);
CREATE TABLE audit_log (id bigserial PRIMARY KEY, table_name text, record_id bigint, actor_id bigint, changed jsonb, note jsonb);
CREATE TABLE admin_log (id serial PRIMARY KEY, content_type_id integer, object_id text, "userId" bigint);
-- Documents.
CREATE TABLE jobs (id bigserial PRIMARY KEY, kind text, args jsonb, attempts integer);
CREATE TABLE webhooks (id bigserial PRIMARY KEY, url text, payload text, headers jsonb);
-- Partitions, and inheritance.
CREATE TABLE visits (id bigserial, user_id bigint, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE visits_2025 PARTITION OF visits FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE visits_2026 PARTITION OF visits FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE assets (id bigserial PRIMARY KEY, name text);
CREATE TABLE vehicles (wheels integer) INHERITS (assets);
-- Keys of other types.
CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuidv7(), kind text, user_id bigint);
CREATE TABLE event_tags (event_id uuid, tag text);
CREATE TABLE sessions (id char(26) PRIMARY KEY, user_id bigint);
CREATE TABLE session_notes (session_id char(26) UNIQUE, note text);
CREATE TABLE devices (id uuid PRIMARY KEY);
CREATE TABLE device_owners (device_id uuid UNIQUE, "odd""name_id" bigint);
CREATE TABLE countries (code char(2) PRIMARY KEY, name text);
CREATE TABLE readings (id numeric PRIMARY KEY, value double precision);
-- The same names elsewhere, and odd ones.
CREATE TABLE billing.users (id bigserial PRIMARY KEY, vat_id text);
CREATE TABLE billing.invoices (id bigserial PRIMARY KEY, number bigint UNIQUE, user_id bigint, order_id bigint);
CREATE TABLE "Support Desk"."Ticket.Items" ("Id" bigserial PRIMARY KEY, "assigneeId" bigint, "parentId" bigint);
CREATE VIEW buyers AS SELECT u.id, u.email, count(o.id) AS orders FROM users u LEFT JOIN orders o ON o.buyer_id = u.id GROUP BY u.id;
CREATE MATERIALIZED VIEW best AS SELECT product_id, count(*) AS sold FROM order_lines GROUP BY product_id;
