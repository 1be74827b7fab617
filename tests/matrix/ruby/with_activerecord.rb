# ActiveRecord, by models whose keys are uuids, with its reflection and its dump of a schema.

require "active_record"
require "stringio"
require_relative "features"

# People, with what they have written.
class Person < ActiveRecord::Base
  has_many :posts, -> { order(:ordinal) }
  has_many :tags, through: :posts
  validates :name, presence: true
end

# What a person has written.
class Post < ActiveRecord::Base
  belongs_to :person
  has_and_belongs_to_many :tags, join_table: "post_tags"
end

# What posts are found by.
class Tag < ActiveRecord::Base
  has_and_belongs_to_many :posts, join_table: "post_tags"
end

# Lists of people.
class Group < ActiveRecord::Base
  def members
    Person.where(id: member_ids)
  end
end

# Each method is a feature.
module WithActiveRecord
  MODELS = [Person, Post, Tag, Group].freeze

  module_function

  def connect(address)
    place = { host: address.host, port: address.port, username: address.user, database: address.database }
    ActiveRecord::Base.establish_connection(adapter: "postgresql", **place)
    MODELS.each(&:reset_column_information)
    ActiveRecord::Base.connection
  end

  def empty(connection)
    connection.execute(EMPTY)
  end

  def close(_connection)
    ActiveRecord::Base.remove_connection
  end

  def result_of(error)
    cause = error.is_a?(ActiveRecord::StatementInvalid) ? error.cause : error
    cause.respond_to?(:result) ? cause.result : nil
  end

  def fault(error)
    [result_of(error)&.error_field(PG::PG_DIAG_SQLSTATE), error.message]
  end

  def told(error)
    fields = [PG::PG_DIAG_SQLSTATE, PG::PG_DIAG_CONSTRAINT_NAME, PG::PG_DIAG_MESSAGE_PRIMARY,
              PG::PG_DIAG_MESSAGE_DETAIL]
    result = result_of(error)
    [error.class.name, *fields.map { |field| result&.error_field(field) }]
  end

  def person(name)
    Person.create!(email: "#{name}@example.org", name: name)
  end

  def people
    Person.order(:email).map(&:attributes)
  end

  def crud(_connection)
    ann = person("ann")
    bob = person("bob")
    read = Person.find(ann.id).attributes
    read.merge!("found" => Person.find_by(email: bob.email).id, "there" => Person.exists?(bob.id))
    ann.update!(name: "Ann")
    Person.where(id: ann.id).update_all("version = version + 1")
    gone = bob.destroy.destroyed?
    ann.reload
    [read, ann.attributes, gone, Person.where(id: bob.id).to_a, Person.find_by(id: bob.id), Person.count]
  end

  def returning(_connection)
    ann = person("ann")
    rows = [{ person_id: ann.id, title: "b", ordinal: 2 }, { person_id: ann.id, title: "a", ordinal: 1 }]
    made = Post.insert_all!(rows, returning: %w[id person_id title]).rows.sort_by(&:last)
    changed = Post.connection.select_rows(<<~SQL)
      update posts set title = upper(title) where ordinal = 1 returning id, person_id, title
    SQL
    [made, changed]
  end

  def bulk(_connection)
    Person.insert_all!(%w[ann bob cid].map { |name| { email: "#{name}@example.org", name: name } })
    ids = Person.order(:email).ids
    Post.insert_all!((0...7).map { |at| { person_id: ids[at % 3], title: "t#{at}", ordinal: at } })
    changed = Post.where(person_id: ids.first(2)).update_all("title = upper(title)")
    batches = Post.in_batches(of: 3).map(&:count)
    each = Post.find_each(batch_size: 2).map(&:title).sort
    gone = Post.where(person_id: ids[0]).delete_all
    [ids, changed, batches, each, gone, Post.order(:ordinal).pluck(:id, :person_id, :title)]
  end

  def upsert(_connection)
    rows = %w[ann Ann ANN].map do |name|
      Person.upsert({ email: "ann@example.org", name: name }, unique_by: :email, returning: %w[id name]).rows
    end
    ignored = Person.insert({ email: "ann@example.org", name: "x" }, unique_by: :email).rows
    found = Person.create_with(name: "y").find_or_create_by!(email: "ann@example.org")
    by_id = Person.upsert({ id: found.id, email: "ann@example.net", name: "z" }).rows
    [rows, ignored, found.id, by_id, people]
  end

  def eager(_connection)
    ann = person("ann")
    bob = person("bob")
    first = ann.posts.create!(title: "one", ordinal: 1)
    ann.posts.create!(title: "two", ordinal: 2)
    bob.posts.create!(title: "three", ordinal: 3)
    %w[red blue].each { |name| first.tags << Tag.create!(name: name) }
    whole = lambda do |each|
      [each.id, each.posts.sort_by(&:ordinal).map { |post| [post.id, post.title, post.tags.map(&:name).sort] }]
    end
    preloaded = Person.preload(posts: :tags).order(:email).map(&whole)
    loaded = Person.eager_load(posts: :tags).order(:email).map(&whole)
    included = Post.includes(:person).order(:ordinal).map { |post| [post.id, post.person.id, post.person.email] }
    joined = Person.joins(:posts).group(:id).order(Arel.sql("min(ordinal)")).count("posts.id").to_a
    through = ann.tags.order(:name).pluck(:id, :name)
    within = Post.where(person: Person.where(name: "bob")).ids
    without = Person.where.missing(:posts).ids
    [preloaded, loaded, included, joined, through, within, without, ann.post_ids]
  end

  def keyset(_connection)
    ann = person("ann")
    Post.insert_all!((0...12).map { |at| { person_id: ann.id, title: format("t%02d", at), ordinal: at } })
    posts = Post.order(:id).limit(5)
    pages = [posts.pluck(:id, :title)]
    pages << posts.where("id > ?", pages.last.last[0]).pluck(:id, :title) until pages.last.empty?
    arel = [posts.where(Post.arel_table[:id].gt(pages[0].last[0])).pluck(:id, :title)]
    rows = [Post.order(:person_id, :id).limit(5).pluck(:id, :title)]
    until rows.last.empty?
      after = Post.where("(person_id, id) > (?, ?)", ann.id, rows.last.last[0])
      rows << after.order(:person_id, :id).limit(5).pluck(:id, :title)
    end
    [paged(pages), arel.map(&:size), paged(rows)]
  end

  def arrays(_connection)
    ann, bob, cid = %w[ann bob cid].map { |name| person(name) }
    group = Group.create!(name: "a", member_ids: [ann.id, bob.id])
    Group.create!(name: "b", member_ids: [])
    group.update!(member_ids: group.member_ids + [cid.id])
    read = Group.order(:name).map(&:attributes)
    within = Group.where("? = any(member_ids)", bob.id).pluck(:name)
    contained = Group.where("member_ids @> array[?]::uuid[]", [ann.id, cid.id]).pluck(:name)
    [read, within, contained, group.members.order(:email).pluck(:id, :name)]
  end

  def json(_connection)
    ann = person("ann")
    body = { by: ann.id, marks: [1, 2.5, nil], deep: { "é" => true } }
    one = ann.posts.create!(title: "one", ordinal: 1, body: body)
    ann.posts.create!(title: "two", ordinal: 2)
    read = Post.order(:ordinal).pluck(:id, :body)
    parts = Post.where("body @> ?", { marks: [1] }.to_json).pluck(Arel.sql("body->>'by'"), Arel.sql("body->'marks'"))
    built = Post.order(:title).pluck(Arel.sql("json_build_object('id', id, 'person', person_id)"))
    one.body["more"] = 1
    one.save!
    [read, parts, built, one.reload.body, Post.connection.select_values("select row_to_json(p) from people p")]
  end

  def transaction(_connection)
    Person.transaction { person("ann") }
    Person.transaction do
      person("bob")
      raise ActiveRecord::Rollback
    end
    committed = Person.order(:name).pluck(:id, :name)
    Person.transaction do
      person("cid")
      Person.transaction(requires_new: true) do
        person("dan")
        raise ActiveRecord::Rollback
      end
      Person.lock.find_by!(name: "cid").update!(name: "Cid")
    end
    [committed, Person.order(:name).pluck(:id, :name)]
  end

  def cascade(_connection)
    ann = person("ann")
    bob = person("bob")
    post = ann.posts.create!(title: "one", ordinal: 1)
    bob.posts.create!(title: "two", ordinal: 2)
    post.tags << Tag.create!(name: "red")
    gone = Person.where(id: ann.id).delete_all
    [gone, Post.pluck(:id, :person_id, :title), Tag.count, bob.posts.destroy_all.map(&:id)]
  end

  def errors(_connection)
    ann = person("ann")
    bob = person("bob").destroy
    tries = [
      -> { person("ann") },
      -> { Person.create!(id: ann.id, email: "x", name: "x") },
      -> { Post.insert_all!([{ person_id: bob.id, title: "x" }]) },
      -> { Post.insert_all!([{ person_id: nil, title: "x" }]) },
      -> { Person.where("id = 'not-a-uuid'").to_a },
      -> { Person.where("id = 1").to_a },
      -> { Person.where(id: "not-a-uuid").to_a },
      -> { Person.where(id: "5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680").to_a },
      -> { Person.find(bob.id).name }
    ]
    tries.map do |attempt|
      attempt.call
    rescue ActiveRecord::ActiveRecordError => e
      told(e)
    end
  end

  def prepared(connection)
    made = (0...20).map { |number| person("p#{number}") }
    rows = made.map { |each| Person.find_by(id: each.id).attributes }
    counted = Array.new(8) { Person.where(id: made.map(&:id)).count }
    names = connection.select_values("select name from pg_prepared_statements where name like 'a%'")
    [rows, counted, names.size]
  end

  def altered(connection)
    person("ann")
    select = -> { Person.where(email: "ann@example.org").map(&:attributes) }
    before = Array.new(8) { select.call }
    connection.execute("alter table people add column nick text default 'none'")
    after = Array.new(4) { select.call }
    Person.reset_column_information
    Person.first.update!(nick: "annie")
    [before, after, select.call]
  end

  def introspect(connection)
    tables = connection.tables.sort.map do |table|
      columns = connection.columns(table).map { |of| [of.name, of.type, of.sql_type, of.null, of.default, of.default_function] }
      keys = connection.foreign_keys(table).map { |key| [key.column, key.to_table, key.primary_key, key.on_delete] }
      indexes = connection.indexes(table).map { |index| [index.name, index.columns, index.unique, index.using] }
      [table, columns, connection.primary_keys(table), keys.sort, indexes.sort]
    end
    dump = StringIO.new
    ActiveRecord::SchemaDumper.dump(connection, dump)
    [tables, dump.string]
  end
end

ActiveRecord::Base.logger = nil
run(WithActiveRecord) if $PROGRAM_NAME == __FILE__
