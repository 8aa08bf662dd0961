import { makeBackground } from '../../../adapters/background/job-runner.ts';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeSqlLeases } from '../../../adapters/sql/leases.ts';
import { createAccounts } from '../../../core/index.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';

/**
 * A child process that sends the mail of a shared folder: `mail-child.js FOLDER LEASE`. It sends its parent the id of
 * each mail passed to the provider, which accepts the mail when the parent returns the id, and `over` after a round.
 */
const [folder = '', lease = ''] = process.argv.slice(2);
const report = (message: unknown) => process.send?.(message);

const { ports, database } = openSqlitePorts(folder);
const accepted = new Map<string, () => void>();
const accounts = createAccounts({
  ...ports,
  mailer: {
    send: async ({ id }) => {
      report(id);
      await new Promise<void>((resolve) => accepted.set(id, resolve));
      return { outcome: 'sent' };
    },
  },
});
const background = makeBackground({
  leases: makeSqlLeases(database, systemClock),
  holder: `${process.pid}`,
  log: ports.log,
  lease: Number(lease),
  jobs: [
    {
      name: 'mail',
      every: 50,
      wakes: true,
      run: async (fence) => {
        const sent = await accounts.background.deliverMail(fence);
        if (sent > 0) report('over');
        return sent;
      },
    },
  ],
});

const end = async () => {
  await background.close();
  await database.close();
  process.exit(0);
};

process.on('message', (message) => {
  if (message !== 'end') return accepted.get(String(message))?.();
  void end();
});
background.start();
// The child must not outlive its parent.
process.once('disconnect', () => process.exit());
