import { makeBackground } from '../../../adapters/background/job-runner.ts';
import { systemClock } from '../../../adapters/crypto/clock.ts';
import { makeSqlLeases } from '../../../adapters/sql/leases.ts';
import { createAccounts } from '../../../core/index.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';

/**
 * A process of its own that sends the mail of a shared folder: `mail-child.js FOLDER LEASE`. It tells its parent of
 * each mail that it hands to the provider, whose answer is a message with the mail's id, and when a round is `over`.
 */
const [folder = '', lease = ''] = process.argv.slice(2);
const tell = (message: unknown) => process.send?.(message);

const { ports, database } = openSqlitePorts(folder);
const accepted = new Map<string, () => void>();
const accounts = createAccounts({
  ...ports,
  mailer: {
    send: async ({ id }) => {
      tell(id);
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
        if (sent > 0) tell('over');
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
// It lives for its parent alone.
process.once('disconnect', () => process.exit());
