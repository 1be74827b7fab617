// graphile-worker as an application uses it. `migrate` makes its schema; `work` adds jobs and works
// on them. The worker polls once a minute only: what it does within seconds it was notified of.
import assert from 'node:assert';
import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run, runMigrations } from 'graphile-worker';

const [part, host, port, database] = process.argv.slice(2);
const connectionString = `postgres://app@${host}:${port}/${database}`;
const logger = new Logger(() => () => {});
const inAnHour = () => new Date(Date.now() + 3_600_000);

async function until(what, holds) {
  for (let waited = 0; !holds(); waited += 20) {
    assert.ok(waited < 20_000, what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function work() {
  const utils = await makeWorkerUtils({ connectionString, logger });
  const first = await utils.addJob('hello', { name: 'Ann' });
  const later = await utils.addJob('hello', {}, { runAt: inAnHour(), jobKey: 'key', queueName: 'queue' });
  const replaced = await utils.addJob('hello', {}, { jobKey: 'key', jobKeyMode: 'preserve_run_at' });
  assert.equal(replaced.id, later.id);
  const [, bad] = await utils.addJobs([{ identifier: 'hello', payload: {} }, { identifier: 'bad', payload: {} }]);
  const [moved] = await utils.rescheduleJobs([later.id], { priority: 7, runAt: inAnHour() });
  assert.deepEqual([moved.id, moved.priority], [later.id, 7]);

  const seen = [];
  const taskList = {
    hello: async ({ name }, { job, addJob }) => {
      seen.push(job.id);
      if (name) await addJob('next', { of: job.id });
    },
    next: async ({ of }) => seen.push(`next of ${of}`),
    notified: async (_, { job }) => seen.push(job.id),
    bad: async (_, { job }) => { seen.push(job.id); throw new Error('as meant'); },
  };
  // What is sent before the worker listens, it finds a minute later.
  let listens = false;
  const events = new EventEmitter();
  events.on('pool:listen:success', ({ client }) => {
    process.nextTick(async () => {
      await client.query('select 1'); // behind its LISTEN
      listens = true;
    });
  });
  const runner = await run({
    connectionString, events, taskList, logger, concurrency: 2, pollInterval: 60_000, noHandleSignals: true, parsedCronItems: [],
  });
  await until('the jobs are done', () => [first.id, bad.id, `next of ${first.id}`].every((id) => seen.includes(id)));
  await until('it listens', () => listens);
  const notified = await utils.addJob('notified', {});
  await until('a notification arrives', () => seen.includes(notified.id));

  assert.equal((await utils.completeJobs([later.id]))[0].id, later.id);
  const other = await utils.addJob('hello', {}, { runAt: inAnHour() });
  assert.equal((await utils.permanentlyFailJobs([other.id], 'as meant'))[0].attempts, 25);
  await utils.cleanup();
  await runner.stop();
  await utils.release();
}

if (part === 'migrate') await runMigrations({ connectionString, logger });
else await work();
console.log('graphile-worker: done');
