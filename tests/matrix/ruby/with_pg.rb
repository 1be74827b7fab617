# The pg gem, by which ActiveRecord and Sequel speak with Postgres.

require "pg"
require_relative "features"

# Each method is a feature.
module WithPg
  module_function

  def connect(address)
    PG.connect(host: address.host, port: address.port, user: address.user, dbname: address.database)
  end

  def empty(connection)
    connection.exec(EMPTY)
  end

  def close(connection)
    connection.close
  end

  def fault(error)
    result = error.respond_to?(:result) && error.result
    result ? [result.error_field(PG::PG_DIAG_SQLSTATE), error.message] : [nil, error.message]
  end

  def told(error)
    fields = [PG::PG_DIAG_SQLSTATE, PG::PG_DIAG_CONSTRAINT_NAME, PG::PG_DIAG_MESSAGE_PRIMARY,
              PG::PG_DIAG_MESSAGE_DETAIL]
    [error.class.name, *fields.map { |field| error.result.error_field(field) }]
  end

  # The rows of a statement, or how many it has changed.
  def ask(connection, sql, *parameters)
    result = connection.exec_params(sql, parameters)
    result.nfields.zero? ? result.cmd_tuples : result.values
  end

  def people(connection, *names)
    insert = "insert into people (email, name) values ($1, $2) returning id"
    names.map { |name| ask(connection, insert, "#{name}@example.org", name)[0][0] }
  end

  def posts(connection, person, *titles)
    insert = "insert into posts (person_id, title, ordinal) values ($1, $2, $3) returning id"
    last = ask(connection, "select coalesce(max(ordinal), 0) from posts")[0][0].to_i
    titles.each.with_index(last + 1).map { |title, at| ask(connection, insert, person, title, at)[0][0] }
  end

  def tagged(connection, post, *names)
    names.each do |name|
      tag = ask(connection, "insert into tags (name) values ($1) returning id", name)[0][0]
      ask(connection, "insert into post_tags (post_id, tag_id) values ($1, $2)", post, tag)
    end
  end

  # The text of an array.
  def array(elements)
    PG::TextEncoder::Array.new.encode(elements)
  end

  def crud(connection)
    ann, bob = people(connection, "ann", "bob")
    by_id = "select id, email, name, version from people where id = $1"
    read = ask(connection, by_id, ann)
    change = "update people set name = $1, version = version + 1 where id = $2"
    changed = ask(connection, change, "Ann", ann)
    after = ask(connection, by_id, ann)
    gone = ask(connection, "delete from people where id = $1", bob)
    [read, changed, after, gone, ask(connection, by_id, bob), ask(connection, "select count(*) from people")]
  end

  def returning(connection)
    ann, = people(connection, "ann")
    insert = "insert into posts (person_id, title, ordinal) values ($1, 'b', 2), ($1, 'a', 1) returning *"
    made = ask(connection, insert, ann).sort_by { |row| row[2] }
    changed = ask(connection, <<~SQL, "ann@example.org")
      update posts o set title = upper(title) from people p
      where p.id = o.person_id and p.email = $1 and o.ordinal = 1 returning o.id, p.id, o.title
    SQL
    chained = ask(connection, <<~SQL, ann)
      with moved as (delete from posts where person_id = $1 returning id, person_id, title)
      select m.id, p.id, m.title, p.name from moved m join people p on p.id = m.person_id order by m.title
    SQL
    [made, changed, chained]
  end

  def bulk(connection)
    ann, bob = people(connection, "ann", "bob")
    rows = [[ann, "one", 1], [bob, "two", 2], [ann, "three", 3]]
    encoder = PG::TextEncoder::CopyRow.new
    connection.copy_data("copy posts (person_id, title, ordinal) from stdin", encoder) do
      rows.each { |row| connection.put_copy_data(row) }
    end
    copied = []
    select = "select id, person_id, title from posts order by ordinal"
    connection.copy_data("copy (#{select}) to stdout", PG::TextDecoder::CopyRow.new) do
      while (row = connection.get_copy_data)
        copied << row
      end
    end
    insert = "insert into tags (name) select unnest($1::text[]) returning id, name"
    made = ask(connection, insert, array(%w[red blue])).sort_by(&:last)
    [copied, made, ask(connection, select)]
  end

  def upsert(connection)
    insert = <<~SQL
      insert into people (email, name) values ($1, $2) on conflict (email) do update
      set name = excluded.name, version = people.version + 1 returning id, name, version, xmax = 0
    SQL
    made = %w[ann Ann ANN].map { |name| ask(connection, insert, "ann@example.org", name) }
    again = "insert into people (email, name) values ($1, $2) on conflict do nothing returning id"
    nothing = ask(connection, again, "ann@example.org", "nobody")
    by_id = <<~SQL
      insert into people (id, email, name) values ($1, $2, $3) on conflict (id) do update
      set email = excluded.email returning id, email, name
    SQL
    [made, nothing, ask(connection, by_id, made[0][0][0], "ann@example.net", "another")]
  end

  def eager(connection)
    ann, bob, = people(connection, "ann", "bob", "cid")
    first, = posts(connection, ann, "one", "two")
    posts(connection, bob, "three")
    tagged(connection, first, "red", "blue")
    joined = ask(connection, <<~SQL)
      select p.id, p.email, o.id, o.person_id, o.title from people p
      left join posts o on o.person_id = p.id order by p.email, o.ordinal
    SQL
    selected = ask(connection, <<~SQL, array([ann, bob]))
      select person_id, id, title from posts where person_id = any($1) order by ordinal
    SQL
    many = ask(connection, <<~SQL, array(selected.map { |row| row[1] }))
      select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
      where pt.post_id = any($1) order by t.name
    SQL
    [joined, selected, many]
  end

  def keyset(connection)
    ann, = people(connection, "ann")
    posts(connection, ann, *(0...12).map { |number| format("t%02d", number) })
    pages = [ask(connection, "select id, title from posts order by id limit 5")]
    after = "select id, title from posts where id > $1 order by id limit 5"
    pages << ask(connection, after, pages.last.last[0]) until pages.last.empty?
    rows = [ask(connection, "select id, title from posts order by person_id, id limit 5")]
    after = "select id, title from posts where (person_id, id) > ($1, $2) order by person_id, id limit 5"
    rows << ask(connection, after, ann, rows.last.last[0]) until rows.last.empty?
    [paged(pages), paged(rows)]
  end

  def arrays(connection)
    ann, bob, cid = people(connection, "ann", "bob", "cid")
    insert = "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids"
    made = [["a", [ann, bob]], ["b", []]].map { |name, ids| ask(connection, insert, name, array(ids)) }
    ask(connection, "update groups set member_ids = array_append(member_ids, $1) where name = 'b'", cid)
    read = ask(connection, "select id, member_ids from groups order by name")
    decoder = PG::TextDecoder::Array.new
    lists = read.map { |row| decoder.decode(row[1]) }
    within = ask(connection, "select name from groups where $1 = any(member_ids)", bob)
    members = ask(connection, <<~SQL)
      select g.name, p.id, p.email from groups g join people p on p.id = any(g.member_ids) order by p.email
    SQL
    [made, lists, within, members, ask(connection, "select array_agg(id order by email) from people")]
  end

  def json(connection)
    ann, = people(connection, "ann")
    posts(connection, ann, "one", "two")
    body = JSON.generate({ by: ann, marks: [1, 2.5, nil], deep: { "é" => true } })
    changed = ask(connection, "update posts set body = $1 where title = 'one' returning id, body", body)
    parts = ask(connection, <<~SQL)
      select body->>'by', body->'marks', body #>> '{deep,é}' from posts where body @> '{"marks": [1]}'
    SQL
    built = ask(connection, <<~SQL)
      select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id, 'title', o.title)
      order by o.title) from people p join posts o on o.person_id = p.id group by p.id
    SQL
    [changed, parts, built, ask(connection, "select row_to_json(o) from posts o order by title")]
  end

  def transaction(connection)
    names = "select id, name from people order by name"
    connection.transaction { people(connection, "ann") }
    begin
      connection.transaction do
        people(connection, "bob")
        raise IOError
      end
    rescue IOError
      committed = ask(connection, names)
    end
    connection.transaction do
      people(connection, "cid")
      connection.exec("savepoint before")
      people(connection, "dan")
      connection.exec("rollback to savepoint before")
      people(connection, "eve")
    end
    [committed, ask(connection, names), connection.transaction_status]
  end

  def cascade(connection)
    ann, bob = people(connection, "ann", "bob")
    post, = posts(connection, ann, "one")
    posts(connection, bob, "two")
    tagged(connection, post, "red", "blue")
    gone = ask(connection, "delete from people where id = $1", ann)
    counts = "select (select count(*) from posts), (select count(*) from post_tags), (select count(*) from tags)"
    [gone, ask(connection, counts), ask(connection, "select id, person_id, title from posts")]
  end

  def failing(connection, sql, *parameters)
    ask(connection, sql, *parameters)
  rescue PG::Error => e
    told(e)
  end

  def errors(connection)
    ann, bob = people(connection, "ann", "bob")
    ask(connection, "delete from people where id = $1", bob)
    post = "insert into posts (person_id, title) values ($1, 'x')"
    by_id = "select name from people where id = $1"
    [
      failing(connection, "insert into people (email, name) values ($1, 'x')", "ann@example.org"),
      failing(connection, "insert into people (id, email, name) values ($1, 'x', 'x')", ann),
      failing(connection, post, bob),
      failing(connection, post, nil),
      failing(connection, by_id, "not-a-uuid"),
      failing(connection, by_id, "5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680"),
      failing(connection, "select name from people where id = 1")
    ]
  end

  def prepared(connection)
    connection.prepare("by id", "select id, email from people where id = $1")
    ids = people(connection, *(0...20).map { |number| "p#{number}" })
    rows = ids.flat_map { |id| connection.exec_prepared("by id", [id]).values }
    described = connection.describe_prepared("by id")
    types = [described.paramtype(0), described.ftype(0)]
    bytes = connection.exec_prepared("by id", [ids[0]], 1).getvalue(0, 0)
    hexadecimal = bytes.unpack1("H*")
    binary = hexadecimal.sub(/\A(.{8})(.{4})(.{4})(.{4})(.{12})\z/, '\1-\2-\3-\4-\5')
    connection.exec("deallocate \"by id\"")
    [rows, types, binary]
  end

  def altered(connection)
    people(connection, "ann")
    connection.prepare("all", "select * from people where email = $1")
    repeated = lambda do
      connection.exec_prepared("all", ["ann@example.org"]).values
    rescue PG::Error => e
      told(e)
    end
    before = Array.new(8) { repeated.call }
    connection.exec("alter table people add column nick text default 'none'")
    after = Array.new(2) { repeated.call }
    connection.exec("deallocate all")
    [before, after, ask(connection, "select * from people")]
  end

  def introspect(connection)
    described = ["select * from people", "select id, member_ids from groups"].map do |sql|
      result = connection.exec(sql)
      result.fields.each_index.map { |at| [result.fname(at), result.ftype(at), result.fmod(at), result.fsize(at)] }
    end
    columns = ask(connection, <<~SQL)
      select table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity
      from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position
    SQL
    [described, columns]
  end
end

run(WithPg) if $PROGRAM_NAME == __FILE__
