// pg-boss as an application uses it: it makes its own schema, and its jobs have keys of type uuid
// that the database makes.
import assert from 'node:assert';
import PgBoss from 'pg-boss';

const [host, port, database] = process.argv.slice(2);
const boss = new PgBoss({ host, port: Number(port), user: 'app', database });
boss.on('error', (error) => { throw error; });
await boss.start();
await boss.createQueue('dead');
await boss.createQueue('mail', { retryLimit: 2, deadLetter: 'dead' });
await boss.createQueue('worked');

const id = await boss.send('mail', { to: 'ann', n: 5 });
const urgent = await boss.send('mail', { to: 'bob' }, { priority: 5, singletonKey: 'one' });
await boss.sendAfter('mail', { to: 'later' }, {}, 3600);
await boss.insert([{ name: 'mail', data: { to: 'cai' } }, { name: 'mail', data: { to: 'dee' } }]);
assert.equal((await boss.getJobById('mail', id)).id, id);

// In which order the jobs of a batch come is not said.
const jobs = await boss.fetch('mail', { batchSize: 3, includeMetadata: true });
const others = jobs.map((job) => job.id).filter((other) => ![urgent, id].includes(other));
assert.deepEqual([jobs.length, others.length], [3, 1]);
const done = async (way, ...more) => assert.equal((await boss[way]('mail', ...more)).affected, 1, way);
await done('complete', id, { sent: true });
await done('fail', urgent, { why: 'as meant' });
await done('cancel', others[0]);
await done('resume', others[0]);
await done('deleteJob', others[0]);
assert.equal((await boss.getJobById('mail', id)).state, 'completed');
assert.equal(await boss.getJobById('mail', others[0]), null);

await boss.schedule('mail', '* * * * *', { to: 'every minute' });
assert.equal((await boss.getSchedules()).length, 1);
await boss.subscribe('event', 'mail');
await boss.publish('event', { to: 'those who listen' });
const sent = await boss.send('worked', { to: 'eli' });
const worked = await new Promise((seen) => boss.work('worked', { pollingIntervalSeconds: 0.5 }, async ([job]) => seen(job)));
assert.equal(worked.id, sent);
await boss.purgeQueue('worked');
await boss.stop({ graceful: false });
console.log('pg-boss: done');
