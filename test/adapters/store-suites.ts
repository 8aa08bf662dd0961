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

/** All but `objects`, which hold files rather than rows. */
type Port = Exclude<keyof StorePorts, 'objects'>;

/** The contract suites of the ports of a store: all, `only` some, or all `but` some. */
export const storeSuites = (
  name: string,
  openStore: (clock: Clock) => Promise<OpenedStore>,
  { only, but = [] }: { readonly only?: readonly Port[]; readonly but?: readonly Port[] } = {},
): void => {
  const open = async (clock: Clock = { now: () => Date.now() }) => {
    const { ports, close } = await openStore(clock);
    return { store: ports, close };
  };
  const openPort =
    <Name extends Port>(port: Name) =>
    async () => {
      const { store, close } = await open();
      return { store: store[port], close };
    };

  const suites: Readonly<Record<Port, () => void>> = {
    accounts: () => {
      accountStoreContract(name, openPort('accounts'));
      accountListsContract(name, openPort('accounts'));
    },
    directory: () => directoryContract(name, open),
    sessions: () => sessionStoreContract(name, openPort('sessions')),
    sessionCache: () =>
      sessionsWithAccountsContract(name, async () => {
        const { store, close } = await open();
        return { ...store, close };
      }),
    attempts: () => attemptsStoreContract(name, openPort('attempts')),
    customDomains: () => domainStoreContract(name, openPort('customDomains')),
    loginKeys: () => loginKeyStoreContract(name, openPort('loginKeys')),
    flows: () => flowStoreContract(name, openPort('flows')),
    outbox: () => outboxStoreContract(name, openPort('outbox')),
    webhooks: () => webhookStoreContract(name, openPort('webhooks')),
    audit: () => auditStoreContract(name, openPort('audit')),
    statistics: () => statisticsContract(name, openPort('statistics')),
    jobResults: () => keyValueStoreContract(name, openPort('jobResults')),
    files: () => fileStoreContract(name, openPort('files')),
    activity: () => fileActivityContract(name, open),
    sealed: () => sealedFilesContract(name, open),
    cacheGeneration: () =>
      cacheGenerationContract(name, async () => {
        const { store, close } = await open();
        return { store: [store.cacheGeneration, store.cacheGeneration], close };
      }),
    // Tested only by the suites of whole services.
    owners: () => undefined,
    ledger: () => eventLedgerContract(name, openPort('ledger')),
    links: () => customerLinksContract(name, openPort('links')),
    rates: () => rateStoreContract(name, openPort('rates')),
    leases: () =>
      leasesContract(name, async () => {
        const clock = makeSettableClock();
        const { store, close } = await open(clock);
        return { store: store.leases, clock, close };
      }),
  };
  const ports = only ?? (Object.keys(suites) as Port[]);
  for (const port of ports) if (!but.includes(port)) suites[port]();
};
