// The runner of the Node clients: it calls the features of a client one by one, each with a new
// connection and empty tables, and prints what each gives as one line of JSON.

export const empty = "truncate people, posts, tags, post_tags, groups";

// The tables are altered when all else is done.
const names = `crud returning bulk upsert eager keyset arrays json transaction cascade errors
  prepared introspect altered`.split(/\s+/);

// What can be said of pages in an order that differs between the sides: the titles, how many rows
// there are on each, and how many rows came twice.
export function paged(pages) {
  const rows = pages.flat();
  const titles = rows.map((row) => row.title).sort();
  const ids = new Set(rows.map((row) => row.id));
  return [titles, pages.map((page) => page.length), rows.length - ids.size];
}

// Pages by a function that is given the last row of the page before.
export async function turn(next) {
  const pages = [await next(undefined)];
  while (pages.at(-1).length > 0) pages.push(await next(pages.at(-1).at(-1)));
  return paged(pages);
}

// What Postgres says of an error, wherever a library keeps it.
export function told(error) {
  let origin = error;
  while (!(origin.code && origin.severity)) {
    const inner = origin.original ?? origin.driverError ?? origin.cause;
    if (inner === undefined) return [error.name, error.message];
    origin = inner;
  }
  const { code, constraint, constraint_name, message, detail } = origin;
  return [error.name, code, constraint ?? constraint_name, detail, message];
}

// What attempts come to, one after the other.
export async function tried(...attempts) {
  const results = [];
  for (const attempt of attempts) {
    try {
      results.push(await attempt());
    } catch (error) {
      results.push(told(error));
    }
  }
  return results;
}

// The results of something that is done several times.
export async function repeated(times, act) {
  const results = [];
  for (let at = 0; at < times; at += 1) results.push(await act(at));
  return results;
}

export async function run(client) {
  setTimeout(() => {
    console.error("it takes too long");
    process.exit(1);
  }, 60_000).unref();
  const [host, port, user, database] = process.argv.slice(2);
  for (const name of names) {
    const connection = await client.connect({ host, port: Number(port), user, database });
    let line;
    try {
      await client.empty(connection);
      line = JSON.stringify(await client.features[name](connection));
    } catch (error) {
      const [kind, code, , , message] = told(error);
      line = message ? `error ${code} ${message.split("\n")[0]}` : `error ${kind} ${code}`;
    } finally {
      await client.close(connection);
    }
    console.log(`${name}\t${line}`);
  }
}
