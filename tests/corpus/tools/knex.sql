-- knex 3.3.0: columnInfo, hasTable, hasColumn.

select version();

select * from information_schema.columns where table_name = 'users' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'users' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'users' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'users' and column_name = 'id' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'orders' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'orders' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'orders' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'orders' and column_name = 'id' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'memberships' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'memberships' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'memberships' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'memberships' and column_name = 'id' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'events' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'events' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'events' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'events' and column_name = 'id' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'visits' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'visits' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'visits' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'crews' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'crews' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'crews' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'makes' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'makes' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'makes' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'makes' and column_name = 'id' and table_schema = current_schema();

select * from information_schema.columns where table_name = 'guests' and table_catalog = current_database() and table_schema = current_schema();

select * from information_schema.columns where table_name = 'guests' and table_catalog = current_database() and table_schema = 'public';

select * from information_schema.tables where table_name = 'guests' and table_schema = current_schema();

select * from information_schema.tables where table_name = 'users' and table_schema = 'public';

select * from information_schema.columns where table_name = 'orders' and column_name = 'user_id' and table_schema = current_schema();
