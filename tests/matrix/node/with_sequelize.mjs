// Sequelize.

import { DataTypes, literal, fn, col, Op, Sequelize } from "sequelize";
import { empty, repeated, run, tried, turn } from "./features.mjs";

const plain = (value) => JSON.parse(JSON.stringify(value));
const person = (name) => ({ email: `${name}@example.org`, name });

function models(db) {
  // The database makes it.
  const id = { type: DataTypes.UUID, primaryKey: true, defaultValue: literal("default") };
  const options = { timestamps: false, underscored: true };
  const Person = db.define(
    "Person",
    {
      id,
      email: { type: DataTypes.TEXT, unique: true },
      name: DataTypes.TEXT,
      version: DataTypes.INTEGER,
    },
    { ...options, tableName: "people" },
  );
  const Post = db.define(
    "Post",
    {
      id,
      title: DataTypes.TEXT,
      body: DataTypes.JSONB,
      ordinal: DataTypes.INTEGER,
    },
    { ...options, tableName: "posts" },
  );
  const Tag = db.define("Tag", { id, name: DataTypes.TEXT }, { ...options, tableName: "tags" });
  const Group = db.define(
    "Group",
    {
      id,
      name: DataTypes.TEXT,
      memberIds: DataTypes.ARRAY(DataTypes.UUID),
    },
    { ...options, tableName: "groups" },
  );
  Person.hasMany(Post, { as: "posts", foreignKey: "personId" });
  Post.belongsTo(Person, { as: "person", foreignKey: "personId" });
  Post.belongsToMany(Tag, {
    as: "tags",
    through: "post_tags",
    foreignKey: "postId",
    otherKey: "tagId",
    timestamps: false,
  });
  Tag.belongsToMany(Post, {
    as: "posts",
    through: "post_tags",
    foreignKey: "tagId",
    otherKey: "postId",
    timestamps: false,
  });
  return { db, Person, Post, Tag, Group };
}

async function people({ Person }, transaction, ...names) {
  const ids = [];
  for (const name of names) ids.push((await Person.create(person(name), { transaction })).id);
  return ids;
}

async function posts({ Post }, personId, first, ...titles) {
  const made = [];
  for (const [at, title] of titles.entries())
    made.push(await Post.create({ personId, title, ordinal: first + at }));
  return made;
}

await run({
  async connect({ user: username, ...address }) {
    return models(
      new Sequelize({
        ...address,
        username,
        dialect: "postgres",
        logging: false,
        pool: { max: 1 },
      }),
    );
  },
  empty: ({ db }) => db.query(empty),
  close: ({ db }) => db.close(),
  features: {
    async crud(all) {
      const { Person } = all;
      const [ann, bob] = await people(all, undefined, "ann", "bob");
      const read = await Person.findByPk(ann);
      await read.update({ name: "Ann" });
      const counted = await Person.increment("version", { where: { id: ann } });
      await read.reload();
      const gone = await Person.destroy({ where: { id: [bob] } });
      return [
        plain(read),
        counted,
        gone,
        await Person.findByPk(bob),
        await Person.count(),
        plain(await Person.findAll()),
      ];
    },

    async returning(all) {
      const [ann] = await people(all, undefined, "ann");
      await posts(all, ann, 1, "a", "b");
      const changed = await all.Post.update(
        { title: fn("upper", col("title")) },
        { where: { ordinal: 1 }, returning: true },
      );
      const raw = await all.db.query(
        "delete from posts where person_id = :ann returning id, title",
        { replacements: { ann } },
      );
      return plain([changed, raw[0].sort((a, b) => a.title.localeCompare(b.title))]);
    },

    async bulk(all) {
      const [ann, bob] = await people(all, undefined, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        personId: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await all.Post.bulkCreate(rows, {
        returning: true,
        fields: ["personId", "title", "ordinal"],
      });
      const found = await all.Post.findAll({
        where: { id: made.map((post) => post.id) },
        order: ["ordinal"],
      });
      return plain([made.sort((a, b) => a.ordinal - b.ordinal), found]);
    },

    async upsert(all) {
      const fields = ["email", "name"];
      const rows = await repeated(3, (at) =>
        all.Person.upsert(
          { email: "ann@example.org", name: `ann${at}` },
          { fields, conflictFields: ["email"], returning: true },
        ),
      );
      const [found, isNew] = await all.Person.findOrCreate({
        where: { email: "ann@example.org" },
        defaults: { name: "x" },
      });
      const many = await all.Person.bulkCreate([person("ann"), person("bob")], {
        fields,
        updateOnDuplicate: ["name"],
        conflictAttributes: ["email"],
        returning: true,
      });
      return plain([rows, found, isNew, many]);
    },

    async eager(all) {
      const { Person, Post, Tag } = all;
      const [ann, bob] = await people(all, undefined, "ann", "bob", "cid");
      const [first] = await posts(all, ann, 1, "one", "two");
      await posts(all, bob, 3, "three");
      await first.addTags([await Tag.create({ name: "red" }), await Tag.create({ name: "blue" })]);
      const order = [
        ["email", "asc"],
        [{ model: Post, as: "posts" }, "ordinal", "asc"],
      ];
      const nested = { model: Post, as: "posts", include: { model: Tag, as: "tags" } };
      const joined = await Person.findAll({
        include: nested,
        order: [
          ...order,
          [{ model: Post, as: "posts" }, { model: Tag, as: "tags" }, "name", "asc"],
        ],
      });
      const separate = await Person.findAll({
        include: { model: Post, as: "posts", separate: true, order: ["ordinal"] },
        order: ["email"],
      });
      const limited = await Person.findAll({
        include: { model: Post, as: "posts" },
        limit: 2,
        order,
      });
      const upward = await Post.findAll({
        include: { model: Person, as: "person", where: { name: "bob" } },
      });
      const lazy = await (await Person.findByPk(ann)).getPosts({ order: ["ordinal"] });
      return plain([joined, separate, limited, upward, lazy]);
    },

    async keyset(all) {
      const [ann] = await people(all, undefined, "ann");
      await posts(all, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      return turn((last) =>
        all.Post.findAll({
          where: last ? { id: { [Op.gt]: last.id } } : {},
          order: ["id"],
          limit: 5,
          raw: true,
        }),
      );
    },

    async arrays(all) {
      const { Group } = all;
      const [ann, bob, cid] = await people(all, undefined, "ann", "bob", "cid");
      const made = await Group.create({ name: "a", memberIds: [ann, bob] });
      const other = await Group.create({ name: "b", memberIds: [] });
      await other.update({ memberIds: [cid] });
      const within = await Group.findAll({
        where: literal(`${all.db.escape(bob)} = any(member_ids)`),
      });
      const contained = await Group.findAll({ where: { memberIds: { [Op.contains]: [ann] } } });
      const overlap = await Group.findAll({
        where: { memberIds: { [Op.overlap]: [cid, ann] } },
        order: ["name"],
      });
      const members = await all.Person.findAll({
        where: { id: { [Op.in]: [ann, cid] } },
        order: ["name"],
      });
      return plain([
        made,
        await Group.findAll({ order: ["name"] }),
        within,
        contained,
        overlap,
        members,
      ]);
    },

    async json(all) {
      const { Post } = all;
      const [ann] = await people(all, undefined, "ann");
      const [one] = await posts(all, ann, 1, "one", "two");
      await one.update({ body: { by: ann, marks: [1, 2.5, null], deep: { é: true } } });
      const found = await Post.findAll({ where: { body: { deep: { é: true } } } });
      const contained = await Post.findAll({ where: { body: { [Op.contains]: { marks: [1] } } } });
      const document = fn("json_build_object", "id", col("id"), "person", col("person_id"));
      const built = await Post.findAll({
        attributes: ["title", [document, "document"]],
        order: ["ordinal"],
      });
      const rows = await all.db.query("select json_agg(p order by ordinal) as rows from posts p");
      return plain([one, found, contained, built, rows[0]]);
    },

    async transaction(all) {
      const { db, Person } = all;
      await db.transaction((transaction) => people(all, transaction, "ann"));
      const rolled = await db.transaction();
      await people(all, rolled, "bob");
      await rolled.rollback();
      await db.transaction({ isolationLevel: "SERIALIZABLE" }, async (transaction) => {
        await people(all, transaction, "cid");
        await db
          .transaction({ transaction }, (inner) => people(all, inner, "dan", "dan"))
          .catch(() => {});
        await people(all, transaction, "eve");
      });
      return plain(await Person.findAll({ order: ["name"] }));
    },

    async cascade(all) {
      const [ann, bob] = await people(all, undefined, "ann", "bob");
      const [post] = await posts(all, ann, 1, "one");
      await posts(all, bob, 2, "two");
      await post.addTag(await all.Tag.create({ name: "red" }));
      await (await all.Person.findByPk(ann)).destroy();
      return plain([await all.Post.findAll(), await all.Tag.findAll({ include: "posts" })]);
    },

    async errors(all) {
      const { db, Person } = all;
      const [ann, bob] = await people(all, undefined, "ann", "bob");
      await Person.destroy({ where: { id: bob } });
      return tried(
        () => people(all, undefined, "ann"),
        () => Person.create({ id: ann, email: "x", name: "x" }),
        () => posts(all, bob, 1, "x"),
        () => all.Post.create({ title: "x" }),
        () => Person.findByPk("not-a-uuid"),
        () => Person.findAll({ where: literal("id = 1") }),
        () => db.query("select name from people where id = $1", { bind: ["not-a-uuid"] }),
      );
    },

    async prepared(all) {
      const rows = await repeated(20, async (at) => {
        const [id] = await people(all, undefined, `p${at}`);
        const [found] = await all.db.query("select id, email from people where id = $id", {
          bind: { id },
        });
        return found[0];
      });
      const ids = rows.map((row) => row.id);
      return [rows, await repeated(20, () => all.Person.count({ where: { id: ids } }))];
    },

    async altered(all) {
      const { db, Person } = all;
      await people(all, undefined, "ann");
      const bind = ["ann"];
      const again = async () => [
        plain(await Person.findAll()),
        (await db.query("select * from people where name = $1", { bind }))[0],
      ];
      const before = await tried(...Array(8).fill(again));
      await db
        .getQueryInterface()
        .addColumn("people", "nick", { type: DataTypes.TEXT, defaultValue: "none" });
      return [before, await tried(...Array(4).fill(again))];
    },

    async introspect({ db }) {
      const tables = ["people", "posts", "post_tags", "groups"];
      const queries = db.getQueryInterface();
      return plain(
        await repeated(4, async (at) => [
          await queries.describeTable(tables[at]),
          await queries.getForeignKeyReferencesForTable(tables[at]),
          await queries.showIndex(tables[at]),
          // The names of those for NOT NULL are made of oids.
          (await queries.showConstraint(tables[at])).filter(
            (each) => each.constraintType !== "CHECK",
          ),
        ]),
      );
    },
  },
});
