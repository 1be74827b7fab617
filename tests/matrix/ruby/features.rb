# The runner of the Ruby clients: it calls the features of a module one by one, each with a new
# connection and empty tables, and prints what each gives as one line of JSON.

require "json"
require "timeout"

# The tables are altered when all else is done.
FEATURES = %i[crud returning bulk upsert eager keyset arrays json transaction cascade errors prepared
              introspect altered].freeze
EMPTY = "truncate people, posts, tags, post_tags, groups".freeze
Address = Struct.new(:host, :port, :user, :database)

# What can be said of pages in an order that differs between the sides: the titles, how many rows
# there are on each, and how many rows came twice.
def paged(pages)
  rows = pages.flatten(1)
  [rows.map(&:last).sort, pages.map(&:size), rows.size - rows.uniq.size]
end

def line(client, name, address)
  connection = client.connect(address)
  client.empty(connection)
  JSON.generate(client.public_send(name, connection))
rescue StandardError => e # whatever a library raises is the result
  state, message = client.fault(e)
  "error #{state || e.class} #{message.to_s.lines.first.to_s.chomp}"
ensure
  client.close(connection) if connection
end

# Runs a module, told by the command line where its database is.
def run(client)
  address = Address.new(*ARGV.first(4))
  Timeout.timeout(60) do
    FEATURES.each { |name| puts "#{name}\t#{line(client, name, address)}" }
  end
end
