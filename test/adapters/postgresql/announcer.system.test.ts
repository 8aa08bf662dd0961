import { expect } from 'chai';
import { openPostgresAnnouncer } from '../../../adapters/postgresql/announcer.ts';
import type { Announcer } from '../../../core/index.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';
import { usePostgres } from './failures/database.ts';
import { postgresForTests } from './postgres-for-tests.ts';

describe('Announcements over PostgreSQL', () => {
  const { server, createDatabase } = postgresForTests();
  const { open } = usePostgres();
  const announcers: Announcer[] = [];

  afterEach(async () => {
    await Promise.all(announcers.splice(0).map((announcer) => announcer.close()));
  });

  /** An announcer with its own connections, and the user ids that it received. */
  const listen = async (url: string) => {
    const log = makeRecordingLog();
    const announcer = await openPostgresAnnouncer(open(url), log);
    announcers.push(announcer);
    const received: (string | null)[] = [];
    announcer.onAnnounced((userId) => received.push(userId));
    return { announcer, received, log };
  };

  const endListeners = () =>
    server().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'",
    );

  it('reach other processes and the sending process', async () => {
    const url = await createDatabase();
    const [first, second] = [await listen(url), await listen(url)];
    await first.announcer.announce('a user');
    await until(() => first.received.length > 0 && second.received.length > 0);
    await second.announcer.announce('another');
    await until(() => first.received.length > 1 && second.received.length > 1);
    expect([first.received, second.received]).to.deep.equal([
      ['a user', 'another'],
      ['a user', 'another'],
    ]);
  });

  it('are received again after a lost connection, which listeners learn of', async () => {
    const url = await createDatabase();
    const [first, second] = [await listen(url), await listen(url)];
    await endListeners();
    await until(() => first.received.includes(null) && second.received.includes(null));
    await first.announcer.announce('a user');
    await until(() => first.received.includes('a user') && second.received.includes('a user'));
    expect(second.received.at(-1)).to.equal('a user');
    for (const { log } of [first, second])
      expect(log.lines.map(({ event }) => event)).to.deep.equal([
        'announcements.failed',
        'announcements.back',
      ]);
  });

  it('do not fail after a close, and leave no connections behind', async () => {
    const url = await createDatabase();
    const { announcer, received } = await listen(url);
    await announcer.close();
    await server().run('SELECT 1');
    await endListeners();
    await announcer.announce('a user');
    const { rows } = await server().run("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    expect([received, rows]).to.deep.equal([[], []]);
  });

  it('can be closed while the server is stopped', async () => {
    const { announcer } = await listen(await createDatabase());
    server().signal('SIGSTOP');
    await announcer.close();
    server().signal('SIGCONT');
    const { rows } = await server().run('SELECT 1 AS one');
    expect(rows).to.deep.equal([{ one: 1 }]);
  });
});
