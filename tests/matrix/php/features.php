<?php
// The runner of the PHP clients: it calls the features of a client one by one, each with a new
// connection and empty tables, and prints what each gives as one line of JSON.

declare(strict_types=1);

// The tables are altered when all else is done.
const FEATURES = [
    'crud', 'returning', 'bulk', 'upsert', 'eager', 'keyset', 'arrays', 'json', 'transaction', 'cascade',
    'errors', 'prepared', 'introspect', 'altered',
];
const EMPTY_TABLES = 'truncate people, posts, tags, post_tags, groups';

/**
 * Says of pages in an order that differs between the sides what can be said: the titles, how many rows
 * there are on each, and how many rows came twice.
 */
function paged(array $pages): array
{
    $rows = array_merge(...$pages);
    $titles = array_column($rows, 1);
    sort($titles);
    $twice = count($rows) - count(array_unique(array_column($rows, 0)));
    return [$titles, array_map('count', $pages), $twice];
}

/** Runs a client, told by the command line where its database is. */
function run(string $client, array $arguments): void
{
    [, $host, $port, $user, $database] = $arguments;
    foreach (FEATURES as $feature) {
        try {
            $connection = new $client($host, $port, $user, $database);
            $line = json_encode($connection->$feature(), JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
        } catch (Throwable $error) {
            // Whatever a library throws is the result.
            $message = strtok($error->getMessage(), "\n");
            $line = "error {$error->getCode()} {$message}";
        }
        echo "{$feature}\t{$line}\n";
        unset($connection);
    }
}
