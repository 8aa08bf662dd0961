import { type IdAt, makeIdAt, makeNewId, type NewId } from '../ids.ts';
import { makeKeyedMutex } from '../keyed-mutex.ts';
import { type ChangeAccount, type ChangeUser, makeChangeAccount, makeChangeUser } from './change-account.ts';
import { makeLoginKeys } from './claim-login-keys.ts';
import { makeLogFailures } from './log-failures.ts';
import { makeAppendAudit } from './outbox/audit-chain.ts';
import { type Entries, makeEntries } from './outbox-entries.ts';
import type { AccountsPolicy } from './policy.ts';
import type { AccountsPorts } from './ports.ts';

/** The ports, the policy, and what use cases share. */
export interface Deps extends AccountsPorts {
  readonly policy: AccountsPolicy;
  readonly newId: NewId;
  readonly entries: Entries;
  readonly appendAudit: ReturnType<typeof makeAppendAudit>;
  readonly idAt: IdAt;
  readonly change: ChangeAccount;
  readonly changeUser: ChangeUser;
  readonly keys: ReturnType<typeof makeLoginKeys>;
  /** Logs a failure of background work, at a limited rate. */
  readonly logFailure: ReturnType<typeof makeLogFailures>;
  /** A mutex per account, so that a process never relays an entry twice at the same time. */
  readonly relayInTurn: ReturnType<typeof makeKeyedMutex>;
  /**
   * A mutex per login key, per code of a provider flow, and per account that signs in with a second factor. Claims are correct
   * without it, but concurrent claims block each other: of many at once in a process, none would succeed.
   */
  readonly claimInTurn: ReturnType<typeof makeKeyedMutex>;
  /** A mutex for changes of founders: concurrent changes would block each other. */
  readonly foundersInTurn: ReturnType<typeof makeKeyedMutex>;
}

export const makeDeps = (ports: AccountsPorts, policy: AccountsPolicy): Deps => {
  const base = { ...ports, policy, newId: makeNewId(ports.clock, ports.random) };
  const change = makeChangeAccount(base);
  const entries = makeEntries(base);
  return {
    ...base,
    entries,
    appendAudit: makeAppendAudit({ ...base, entries }),
    idAt: makeIdAt(ports.random),
    change,
    changeUser: makeChangeUser(ports.accounts, change),
    keys: makeLoginKeys(ports),
    logFailure: makeLogFailures(base),
    relayInTurn: makeKeyedMutex(),
    claimInTurn: makeKeyedMutex(),
    foundersInTurn: makeKeyedMutex(),
  };
};
