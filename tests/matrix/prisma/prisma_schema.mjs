// What Prisma's schema engine reads of a database (`db pull`), and what it would change for a
// schema (`migrate diff`). The commands want a binary that no package has; this is the same engine
// as WebAssembly, over the adapter of the client.

import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { readFile } from "node:fs/promises";
import pg from "pg";

const OID_OF_CHAR = 18;
const OID_OF_TEXT = 25;

// The adapter knows no "char", of which the catalogs have many.
class Pool extends pg.Pool {
  async query(...parameters) {
    const result = await super.query(...parameters);
    for (const field of result.fields)
      if (field.dataTypeID === OID_OF_CHAR) field.dataTypeID = OID_OF_TEXT;
    return result;
  }
}

async function loaded() {
  const module = import.meta.resolve("@prisma/schema-engine-wasm");
  const bytes = await readFile(new URL("schema_engine_bg.wasm", module));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}

export async function pulled(address) {
  const path = "with_prisma.prisma";
  const content = await readFile(new URL(path, import.meta.url), "utf8");
  const files = [{ path, content }];
  await loaded();
  const pool = new Pool({ ...address, max: 1 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
  const datamodels = [[path, content]];
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => {}, adapter);
  const database = { path, content: 'datasource db {\n  provider = "postgresql"\n}\n' };
  const { schema, warnings } = await engine.introspect({
    schema: { files: [database] },
    baseDirectoryPath: ".",
    force: true,
    compositeTypeDepth: -1,
    namespaces: null,
  });
  const { stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: "." },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  await pool.end();
  return [schema.files[0].content, warnings, stdout];
}
