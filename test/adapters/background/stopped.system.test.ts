import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeSqlLeases } from '../../../adapters/sql/leases.ts';
import { NOW, sampleMail } from '../../contracts/samples.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** Milliseconds of the lease that expires, and of the suspension in the long variant. */
const [LEASE_MS, STOPPED_MS] = process.env.LONG ? [6_000, 30_000] : [300, 0];
/** Of the lease that must not expire; a far longer lease would look as if the clock had been set back since. */
const LONG_LEASE_MS = 12_000;

describe('A process suspended during background work', function () {
  this.timeout(300_000 + STOPPED_MS);
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  const folder = useTempFolder();

  /** Starts a sender of the mails in the folder, and collects its messages: ids of mails, and `over`. */
  const startSender = (lease: number) => {
    const child = fork(new URL('./mail-child.js', import.meta.url), [folder(), `${lease}`]);
    children.push(child);
    const lines: string[] = [];
    child.on('message', (message) => lines.push(String(message)));
    return {
      child,
      messages: lines,
      waitFor: (message: string) => until(() => lines.includes(message)),
      accept: (id: string) => child.send(id),
    };
  };

  it('sends no mail after it resumes that another process has claimed meanwhile', async () => {
    const { ports, database, close } = openSqlitePorts(folder());
    const addMail = (id: string) =>
      ports.outbox.add(
        'user',
        sampleMail(id, {
          at: NOW + Number(id),
          facts: { minutes: '15' },
          sealedCode: ports.sealer.seal('123456', `mail:${id}`),
        }),
      );
    for (const id of ['1', '2', '3']) await addMail(id);

    const first = startSender(LEASE_MS);
    await first.waitFor('1');
    const leases = makeSqlLeases(database, systemClock);
    const canWrite = () =>
      leases.take('other', 'test', 1).then(
        () => true,
        () => false,
      );
    // A process suspended during a write blocks all other writers, so it must finish the write first.
    for (;;) {
      first.child.kill('SIGSTOP');
      if (await Promise.race([canWrite(), pause(1_000, false)])) break;
      first.child.kill('SIGCONT');
      // A process suspended again at once would never finish its write.
      await pause(50);
    }
    await pause(STOPPED_MS);

    // The mail in flight is sent again, since its outcome is unknown.
    const second = startSender(LONG_LEASE_MS);
    for (const id of ['1', '2']) {
      await second.waitFor(id);
      second.accept(id);
    }
    await second.waitFor('3');

    // The first process still lists the third mail, but its lease has expired and its fence is older than the claim's.
    first.child.kill('SIGCONT');
    first.accept('1');
    await first.waitFor('over');
    expect(first.messages).to.deep.equal(['1', 'over']);
    second.accept('3');
    await second.waitFor('over');
    expect(second.messages).to.deep.equal(['1', '2', '3', 'over']);

    // The first process takes the lease again after the second has exited.
    second.child.send('end');
    await once(second.child, 'exit');
    await addMail('4');
    await first.waitFor('4');
    first.accept('4');
    await until(async () => (await ports.outbox.list(null, 10)).length === 0);
    await close();
  });
});
