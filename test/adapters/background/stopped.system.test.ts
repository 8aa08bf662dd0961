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

/** Milliseconds: of the lease that runs out, and of the stop in the long run. */
const [LEASE, STOPPED] = process.env.LONG ? [6_000, 30_000] : [300, 0];
/** Of the lease that must not run out; one far longer would be taken for one from before the clock was set back. */
const LASTING = 12_000;

describe('A process that is stopped while it does background work', function () {
  this.timeout(300_000 + STOPPED);
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  const folder = useTempFolder();

  /** A sender of the mails in the folder, and what it told so far: the ids of mails, and `over`. */
  const startSender = (lease: number) => {
    const child = fork(new URL('./mail-child.js', import.meta.url), [folder(), `${lease}`]);
    children.push(child);
    const lines: string[] = [];
    child.on('message', (message) => lines.push(String(message)));
    return {
      child,
      told: lines,
      tells: (message: string) => until(() => lines.includes(message)),
      accept: (id: string) => child.send(id),
    };
  };

  it('does nothing stale when it wakes: what another has taken over is done once', async () => {
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

    const first = startSender(LEASE);
    await first.tells('1');
    const leases = makeSqlLeases(database, systemClock);
    const canWrite = () =>
      leases.take('other', 'test', 1).then(
        () => true,
        () => false,
      );
    // One that is stopped in the midst of a write keeps all others from writing: then it is to finish that.
    for (;;) {
      first.child.kill('SIGSTOP');
      if (await Promise.race([canWrite(), pause(1_000, false)])) break;
      first.child.kill('SIGCONT');
      // A process that is stopped again at once does not come to its end of the write.
      await pause(50);
    }
    await pause(STOPPED);

    // The mail that was on its way goes out again, since nobody knows whether it arrived.
    const second = startSender(LASTING);
    for (const id of ['1', '2']) {
      await second.tells(id);
      second.accept(id);
    }
    await second.tells('3');

    // It has the list with the third mail, its lease is over, and its number is older than the one that claimed that.
    first.child.kill('SIGCONT');
    first.accept('1');
    await first.tells('over');
    expect(first.told).to.deep.equal(['1', 'over']);
    second.accept('3');
    await second.tells('over');
    expect(second.told).to.deep.equal(['1', '2', '3', 'over']);

    // It takes its turn again when the other has gone.
    second.child.send('end');
    await once(second.child, 'exit');
    await addMail('4');
    await first.tells('4');
    first.accept('4');
    await until(async () => (await ports.outbox.list(null, 10)).length === 0);
    await close();
  });
});
