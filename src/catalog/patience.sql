SELECT 'settings', pg_catalog.set_config('statement_timeout', '60s', true), pg_catalog.set_config('lock_timeout', '200ms', true)
