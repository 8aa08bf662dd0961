import { expect } from 'chai';
import { openPostgresAnnouncer } from '../../../adapters/postgresql/announcer.ts';
import type { Announcer } from '../../../core/index.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';
import { postgresForTests } from './opened.ts';
import { usePostgres } from './trouble/database.ts';

describe('Announcements over PostgreSQL', () => {
  const { server, createDatabase } = postgresForTests();
  const { open } = usePostgres();
  const announcers: Announcer[] = [];

  afterEach(async () => {
    await Promise.all(announcers.splice(0).map((announcer) => announcer.close()));
  });

  /** An announcer with connections of its own, and what it has heard. */
  const listen = async (url: string) => {
    const log = makeRecordingLog();
    const announcer = await openPostgresAnnouncer(open(url), log);
    announcers.push(announcer);
    const heard: (string | null)[] = [];
    announcer.onAnnounced((userId) => heard.push(userId));
    return { announcer, heard, log };
  };

  const endListeners = () =>
    server().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'",
    );

  it('reach other processes and their own', async () => {
    const url = await createDatabase();
    const [first, second] = [await listen(url), await listen(url)];
    await first.announcer.announce('a user');
    await until(() => first.heard.length > 0 && second.heard.length > 0);
    await second.announcer.announce('another');
    await until(() => first.heard.length > 1 && second.heard.length > 1);
    expect([first.heard, second.heard]).to.deep.equal([
      ['a user', 'another'],
      ['a user', 'another'],
    ]);
  });

  it('are heard again after the connection was lost, of which listeners are told', async () => {
    const url = await createDatabase();
    const [first, second] = [await listen(url), await listen(url)];
    await endListeners();
    await until(() => first.heard.includes(null) && second.heard.includes(null));
    await first.announcer.announce('a user');
    await until(() => first.heard.includes('a user') && second.heard.includes('a user'));
    expect(second.heard.at(-1)).to.equal('a user');
    for (const { log } of [first, second])
      expect(log.lines.map(({ event }) => event)).to.deep.equal([
        'announcements.failed',
        'announcements.back',
      ]);
  });

  it('never fail, and leave no connections behind', async () => {
    const url = await createDatabase();
    const { announcer, heard } = await listen(url);
    await announcer.close();
    await server().run('SELECT 1');
    await endListeners();
    await announcer.announce('a user');
    const { rows } = await server().run("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    expect([heard, rows]).to.deep.equal([[], []]);
  });

  it('end while the server is stopped', async () => {
    const { announcer } = await listen(await createDatabase());
    server().signal('SIGSTOP');
    await announcer.close();
    server().signal('SIGCONT');
    const { rows } = await server().run('SELECT 1 AS one');
    expect(rows).to.deep.equal([{ one: 1 }]);
  });
});
