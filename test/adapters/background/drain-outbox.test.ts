import { expect } from 'chai';
import { makeDrain } from '../../../adapters/background/drain-outbox.ts';
import { createAccounts } from '../../../core/index.ts';
import type { Lease, Leases } from '../../../core/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { openPorts } from '../../core/accounts/open-core.ts';

describe('The drain of the outbox for a command', () => {
  let releases = 0;
  /** The store fails after the lease was requested, so the lease cannot be released. */
  const drainWith = (take: () => Promise<Lease | undefined>) => {
    releases = 0;
    const { ports } = openPorts();
    const leases: Leases = {
      take,
      release: async () => {
        releases += 1;
        throw new Error('not released');
      },
      noteSuccess: async () => undefined,
      list: async () => [],
    };
    return makeDrain({ accounts: createAccounts(ports), leases, holder: 'command' });
  };

  it('rejects with the first error if the release of the lease fails too', async () => {
    const drain = drainWith(async () => {
      throw new Error('not taken');
    });
    expect(await rejectionOf(drain)).to.have.property('message', 'not taken');
  });

  it('succeeds if only the release of the lease fails', async () => {
    await drainWith(async () => ({ name: 'mail', fence: 1 }))();
    expect(releases).to.equal(1);
  });
});
