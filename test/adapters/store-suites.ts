import type { StorePorts } from '../../adapters/store.ts';
import type { Clock } from '../../core/ports.ts';
import { accountListsContract } from '../contracts/account-lists.ts';
import { accountStoreContract } from '../contracts/account-store.ts';
import { attemptsStoreContract } from '../contracts/attempts-store.ts';
import { auditStoreContract } from '../contracts/audit-store.ts';
import { cacheGenerationContract } from '../contracts/cache-generation.ts';
import { customerLinksContract } from '../contracts/customer-links.ts';
import { directoryContract } from '../contracts/directory.ts';
import { domainStoreContract } from '../contracts/domain-store.ts';
import { eventLedgerContract } from '../contracts/event-ledger.ts';
import { fileActivityContract } from '../contracts/file-activity.ts';
import { fileStoreContract } from '../contracts/file-store.ts';
import { flowStoreContract } from '../contracts/flows.ts';
import { keyValueStoreContract } from '../contracts/key-value-store.ts';
import { leasesContract, makeSettableClock } from '../contracts/leases.ts';
import { loginKeyStoreContract } from '../contracts/login-keys.ts';
import { outboxStoreContract } from '../contracts/outbox-store.ts';
import { rateStoreContract } from '../contracts/rate-store.ts';
import { sealedFilesContract } from '../contracts/sealed-files.ts';
import { sessionStoreContract } from '../contracts/session-store.ts';
import { sessionsWithAccountsContract } from '../contracts/sessions-with-accounts.ts';
import { statisticsContract } from '../contracts/statistics.ts';
import { webhookStoreContract } from '../contracts/webhook-store.ts';

interface OpenedStore {
  readonly ports: StorePorts;
  close(): Promise<void>;
}

/** The suites of all ports that a store keeps, `objects` apart, which hold files rather than rows. */
export const storeSuites = (name: string, openStore: (clock: Clock) => Promise<OpenedStore>): void => {
  const clock: Clock = { now: () => Date.now() };
  const open =
    <T>(pick: (ports: StorePorts) => T, by = clock) =>
    async () => {
      const { ports, close } = await openStore(by);
      return { store: pick(ports), close };
    };

  const suites = {
    accounts: () => {
      accountStoreContract(
        name,
        open(({ accounts }) => accounts),
      );
      accountListsContract(
        name,
        open(({ accounts }) => accounts),
      );
    },
    directory: () =>
      directoryContract(
        name,
        open((ports) => ports),
      ),
    sessions: () =>
      sessionStoreContract(
        name,
        open(({ sessions }) => sessions),
      ),
    presences: () =>
      sessionsWithAccountsContract(name, async () => {
        const { store, close } = await open((ports) => ports)();
        return { ...store, close };
      }),
    tries: () =>
      attemptsStoreContract(
        name,
        open(({ tries }) => tries),
      ),
    customDomains: () =>
      domainStoreContract(
        name,
        open(({ customDomains }) => customDomains),
      ),
    loginKeys: () =>
      loginKeyStoreContract(
        name,
        open(({ loginKeys }) => loginKeys),
      ),
    flows: () =>
      flowStoreContract(
        name,
        open(({ flows }) => flows),
      ),
    outbox: () =>
      outboxStoreContract(
        name,
        open(({ outbox }) => outbox),
      ),
    webhooks: () =>
      webhookStoreContract(
        name,
        open(({ webhooks }) => webhooks),
      ),
    audit: () =>
      auditStoreContract(
        name,
        open(({ audit }) => audit),
      ),
    statistics: () =>
      statisticsContract(
        name,
        open(({ statistics }) => statistics),
      ),
    findings: () =>
      keyValueStoreContract(
        name,
        open(({ findings }) => findings),
      ),
    files: () =>
      fileStoreContract(
        name,
        open(({ files }) => files),
      ),
    activity: () =>
      fileActivityContract(
        name,
        open((ports) => ports),
      ),
    sealed: () =>
      sealedFilesContract(
        name,
        open((ports) => ports),
      ),
    epoch: () =>
      cacheGenerationContract(
        name,
        open(({ epoch }) => [epoch, epoch]),
      ),
    // Asked by the suites of whole services alone.
    owners: () => undefined,
    ledger: () =>
      eventLedgerContract(
        name,
        open(({ ledger }) => ledger),
      ),
    links: () =>
      customerLinksContract(
        name,
        open(({ links }) => links),
      ),
    rates: () =>
      rateStoreContract(
        name,
        open(({ rates }) => rates),
      ),
    leases: () =>
      leasesContract(name, async () => {
        const clock = makeSettableClock();
        return { clock, ...(await open(({ leases }) => leases, clock)()) };
      }),
  } satisfies Record<Exclude<keyof StorePorts, 'objects'>, () => void>;
  for (const suite of Object.values(suites)) suite();
};
