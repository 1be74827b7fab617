<?php
// PDO, with statements that Postgres prepares and with such as PDO writes out itself.

declare(strict_types=1);

require __DIR__ . '/features.php';

final class WithPdo
{
    private PDO $pdo;

    public function __construct(string $host, string $port, string $user, string $database)
    {
        $this->pdo = new PDO("pgsql:host={$host};port={$port};dbname={$database}", $user, null, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_NUM,
        ]);
        $this->pdo->exec(EMPTY_TABLES);
    }

    /** Gives the rows of a statement, or how many it has changed. */
    private function ask(string $sql, array $parameters = []): array|int
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($parameters);
        return $statement->columnCount() === 0 ? $statement->rowCount() : $statement->fetchAll();
    }

    private function people(string ...$names): array
    {
        $insert = 'insert into people (email, name) values (:email, :name) returning id';
        $made = fn (string $name) => $this->ask($insert, ['email' => "{$name}@example.org", 'name' => $name]);
        return array_map(fn (string $name) => $made($name)[0][0], $names);
    }

    private function posts(string $person, string ...$titles): array
    {
        $insert = 'insert into posts (person_id, title, ordinal) values (?, ?, ?) returning id';
        $last = $this->ask('select coalesce(max(ordinal), 0) from posts')[0][0];
        $ids = [];
        foreach ($titles as $at => $title) {
            $ids[] = $this->ask($insert, [$person, $title, $last + $at + 1])[0][0];
        }
        return $ids;
    }

    private function tagged(string $post, string ...$names): void
    {
        foreach ($names as $name) {
            $tag = $this->ask('insert into tags (name) values (?) returning id', [$name])[0][0];
            $this->ask('insert into post_tags (post_id, tag_id) values (?, ?)', [$post, $tag]);
        }
    }

    /** Gives the text of an array. */
    private static function list(array $ids): string
    {
        return '{' . implode(',', $ids) . '}';
    }

    public function crud(): array
    {
        [$ann, $bob] = $this->people('ann', 'bob');
        $by_id = 'select id, email, name, version from people where id = ?';
        $read = $this->ask($by_id, [$ann]);
        $changed = $this->ask('update people set name = ?, version = version + 1 where id = ?', ['Ann', $ann]);
        $after = $this->ask($by_id, [$ann]);
        $gone = $this->ask('delete from people where id = ?', [$bob]);
        return [$read, $changed, $after, $gone, $this->ask($by_id, [$bob]), $this->ask('select count(*) from people')];
    }

    public function returning(): array
    {
        [$ann] = $this->people('ann');
        $insert = "insert into posts (person_id, title, ordinal) values (:p, 'b', 2), (:p, 'a', 1) returning *";
        $made = $this->ask($insert, ['p' => $ann]);
        usort($made, fn (array $a, array $b) => $a[2] <=> $b[2]);
        $changed = $this->ask(
            'update posts o set title = upper(title) from people p
             where p.id = o.person_id and p.email = ? and o.ordinal = 1 returning o.id, p.id, o.title',
            ['ann@example.org'],
        );
        $chained = $this->ask(
            'with moved as (delete from posts where person_id = ? returning id, person_id, title)
             select m.id, p.id, m.title, p.name from moved m join people p on p.id = m.person_id
             order by m.title',
            [$ann],
        );
        return [$made, $changed, $chained];
    }

    public function bulk(): array
    {
        [$ann, $bob] = $this->people('ann', 'bob');
        $rows = ["{$ann}\tone\t1", "{$bob}\ttwo\t2", "{$ann}\tthree\t3"];
        $this->pdo->pgsqlCopyFromArray('posts', $rows, "\t", '\\\\N', 'person_id, title, ordinal');
        $copied = $this->pdo->pgsqlCopyToArray('posts', "\t", '\\\\N', 'person_id, title');
        $insert = $this->pdo->prepare('insert into tags (name) values (?) returning id, name');
        $tags = [];
        foreach (['red', 'blue'] as $name) {
            $insert->execute([$name]);
            $tags[] = $insert->fetch();
        }
        return [$copied, $tags, $this->ask('select id, person_id, title from posts order by ordinal')];
    }

    public function upsert(): array
    {
        $insert = 'insert into people (email, name) values (?, ?) on conflict (email) do update
            set name = excluded.name, version = people.version + 1 returning id, name, version, xmax = 0';
        $made = array_map(fn (string $name) => $this->ask($insert, ['ann@example.org', $name]), ['ann', 'Ann', 'ANN']);
        $again = 'insert into people (email, name) values (?, ?) on conflict do nothing returning id';
        $nothing = $this->ask($again, ['ann@example.org', 'nobody']);
        $by_id = 'insert into people (id, email, name) values (?, ?, ?) on conflict (id) do update
            set email = excluded.email returning id, email, name';
        return [$made, $nothing, $this->ask($by_id, [$made[0][0][0], 'ann@example.net', 'another'])];
    }

    public function eager(): array
    {
        [$ann, $bob] = $this->people('ann', 'bob', 'cid');
        [$first] = $this->posts($ann, 'one', 'two');
        $this->posts($bob, 'three');
        $this->tagged($first, 'red', 'blue');
        $joined = $this->ask('select p.id, p.email, o.id, o.person_id, o.title from people p
            left join posts o on o.person_id = p.id order by p.email, o.ordinal');
        $selected = $this->ask(
            'select person_id, id, title from posts where person_id in (?, ?) order by ordinal',
            [$ann, $bob],
        );
        $many = $this->ask(
            'select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
             where pt.post_id = any(?) order by t.name',
            [self::list(array_column($selected, 1))],
        );
        $statement = $this->pdo->query('select person_id, id, title from posts order by ordinal');
        return [$joined, $selected, $many, array_values($statement->fetchAll(PDO::FETCH_GROUP))];
    }

    public function keyset(): array
    {
        [$ann] = $this->people('ann');
        $this->posts($ann, ...array_map(fn (int $at) => sprintf('t%02d', $at), range(0, 11)));
        $pages = [$this->ask('select id, title from posts order by id limit 5')];
        while (($last = end($pages)) !== []) {
            $after = 'select id, title from posts where id > ? order by id limit 5';
            $pages[] = $this->ask($after, [end($last)[0]]);
        }
        $rows = [$this->ask('select id, title from posts order by person_id, id limit 5')];
        while (($last = end($rows)) !== []) {
            $after = 'select id, title from posts where (person_id, id) > (?, ?) order by person_id, id limit 5';
            $rows[] = $this->ask($after, [$ann, end($last)[0]]);
        }
        return [paged($pages), paged($rows)];
    }

    public function arrays(): array
    {
        [$ann, $bob, $cid] = $this->people('ann', 'bob', 'cid');
        $insert = 'insert into groups (name, member_ids) values (?, ?) returning id, member_ids';
        $made = [$this->ask($insert, ['a', self::list([$ann, $bob])]), $this->ask($insert, ['b', self::list([])])];
        $this->ask("update groups set member_ids = array_append(member_ids, ?) where name = 'b'", [$cid]);
        $read = $this->ask('select id, name, member_ids, cardinality(member_ids) from groups order by name');
        $within = $this->ask('select name from groups where ? = any(member_ids)', [$bob]);
        $members = $this->ask('select g.name, p.id, p.email from groups g
            join people p on p.id = any(g.member_ids) order by p.email');
        return [$made, $read, $within, $members, $this->ask('select array_agg(id order by email) from people')];
    }

    public function json(): array
    {
        [$ann] = $this->people('ann');
        $this->posts($ann, 'one', 'two');
        $body = json_encode(['by' => $ann, 'marks' => [1, 2.5, null], 'deep' => ['é' => true]]);
        $changed = $this->ask("update posts set body = ? where title = 'one' returning id, body", [$body]);
        $parts = $this->ask("select body->>'by', body->'marks', body #>> '{deep,é}' from posts
            where body @> '{\"marks\": [1]}' and body ?? 'by'");
        $built = $this->ask("select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id,
            'title', o.title) order by o.title) from people p join posts o on o.person_id = p.id group by p.id");
        return [$changed, $parts, $built, $this->ask('select row_to_json(o) from posts o order by title')];
    }

    public function transaction(): array
    {
        $names = 'select id, name from people order by name';
        $this->pdo->beginTransaction();
        $this->people('ann');
        $this->pdo->commit();
        $this->pdo->beginTransaction();
        $this->people('bob');
        $this->pdo->rollBack();
        $committed = $this->ask($names);
        $this->pdo->beginTransaction();
        $this->people('cid');
        $this->pdo->exec('savepoint before');
        $this->people('dan');
        $this->pdo->exec('rollback to savepoint before');
        $inside = $this->pdo->inTransaction();
        $this->pdo->commit();
        return [$committed, $inside, $this->ask($names)];
    }

    public function cascade(): array
    {
        [$ann, $bob] = $this->people('ann', 'bob');
        [$post] = $this->posts($ann, 'one');
        $this->posts($bob, 'two');
        $this->tagged($post, 'red', 'blue');
        $gone = $this->ask('delete from people where id = ?', [$ann]);
        $counts = 'select (select count(*) from posts), (select count(*) from post_tags), (select count(*) from tags)';
        return [$gone, $this->ask($counts), $this->ask('select id, person_id, title from posts')];
    }

    private function failing(string $sql, array $parameters): mixed
    {
        try {
            return $this->ask($sql, $parameters);
        } catch (PDOException $error) {
            return [$error::class, $error->errorInfo[0], $error->errorInfo[2]];
        }
    }

    public function errors(): array
    {
        [$ann, $bob] = $this->people('ann', 'bob');
        $this->ask('delete from people where id = ?', [$bob]);
        $post = "insert into posts (person_id, title) values (?, 'x')";
        $by_id = 'select name from people where id = ?';
        return [
            $this->failing("insert into people (email, name) values (?, 'x')", ['ann@example.org']),
            $this->failing("insert into people (id, email, name) values (?, 'x', 'x')", [$ann]),
            $this->failing($post, [$bob]),
            $this->failing($post, [null]),
            $this->failing($by_id, ['not-a-uuid']),
            $this->failing($by_id, ['5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680']),
            $this->failing('select name from people where id = 1', []),
        ];
    }

    public function prepared(): array
    {
        $ids = $this->people(...array_map(fn (int $at) => "p{$at}", range(0, 19)));
        $rows = [];
        foreach ([false, true] as $emulated) {
            $this->pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
            $statement = $this->pdo->prepare('select id, email from people where id = :id');
            foreach ($ids as $id) {
                $statement->bindValue('id', $id);
                $statement->execute();
                $rows[] = $statement->fetchAll();
            }
        }
        return $rows;
    }

    public function altered(): array
    {
        $this->people('ann');
        $statement = $this->pdo->prepare('select * from people where email = ?');
        $repeated = function () use ($statement): mixed {
            try {
                $statement->execute(['ann@example.org']);
                return $statement->fetchAll();
            } catch (PDOException $error) {
                return $error->errorInfo;
            }
        };
        $before = array_map($repeated, range(0, 7));
        $this->pdo->exec("alter table people add column nick text default 'none'");
        $after = array_map($repeated, range(0, 1));
        return [$before, $after, $this->ask('select * from people where email = ?', ['ann@example.org'])];
    }

    public function introspect(): array
    {
        $described = [];
        foreach (['select * from people', 'select id, member_ids from groups'] as $sql) {
            $statement = $this->pdo->query($sql);
            for ($at = 0; $at < $statement->columnCount(); $at++) {
                $meta = $statement->getColumnMeta($at);
                $described[] = [$meta['name'], $meta['native_type'], $meta['pgsql:oid'], $meta['len']];
            }
        }
        $columns = $this->ask("select table_name, column_name, data_type, udt_name, is_nullable,
            column_default, is_identity from information_schema.columns where table_schema = 'public'
            order by table_name, ordinal_position");
        return [$described, $columns];
    }
}

run(WithPdo::class, $argv);
