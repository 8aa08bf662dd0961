import { isUnopenable } from '../../errors.ts';
import { pagesOf } from '../../pagination.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { totpContext } from '../second-factor/check-second-factor.ts';

const PAGE = 100;

/** Counts of accounts whose secrets were resealed, and of accounts with a secret that cannot be opened, which stay unchanged. */
export interface ResealedSecrets {
  readonly resealed: number;
  readonly failed: number;
}

const secretsOf = ({ twoFactor, twoFactorSetup }: Account): readonly string[] =>
  [twoFactor?.secret ?? null, twoFactorSetup].filter((secret) => secret !== null);

const sealedPages = ({ accounts }: Pick<Deps, 'accounts'>) =>
  pagesOf<Account>(PAGE, (after, limit) =>
    accounts.listWhere({ fact: 'sealed', after: after?.id ?? null }, limit),
  );

/** Adds all sealed TOTP secrets to the counts by master key, or under null for an unknown format. Yields after each page. */
async function* addSealed(
  deps: Pick<Deps, 'accounts' | 'kms'>,
  counts: Map<string | null, number>,
): AsyncGenerator<undefined, void> {
  for await (const page of sealedPages(deps)) {
    for (const secret of page.flatMap(secretsOf)) {
      const key = deps.kms.keyOf(secret) ?? null;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    yield;
  }
}

/** Counts the secrets of accounts alone. */
export const makeCountSealed = (deps: Deps) => async (): Promise<ReadonlyMap<string | null, number>> => {
  const counts = new Map<string | null, number>();
  for await (const _ of addSealed(deps, counts));
  return counts;
};

export const makeResealSecrets = (deps: Deps) => {
  const { accounts, change, kms, log } = deps;

  const resealAccount = async (id: string, current: string): Promise<'nothing' | 'resealed' | 'failed'> => {
    const open = (sealed: string): Promise<Uint8Array> =>
      kms.open(sealed, totpContext(id)).catch((error: unknown) => {
        if (isUnopenable(error))
          log.warn('accounts.unopenable', { userId: id, keyId: kms.keyOf(sealed) ?? 'unknown' });
        throw error;
      });
    const reseal = async (sealed: string): Promise<string> =>
      kms.keyOf(sealed) === current ? sealed : kms.seal(await open(sealed), totpContext(id));

    try {
      return await change<'nothing' | 'resealed'>(
        () => accounts.find(id),
        async (account) => {
          if (account === undefined || secretsOf(account).every((secret) => kms.keyOf(secret) === current)) {
            return { next: null, answer: 'nothing' };
          }
          const { twoFactor, twoFactorSetup } = account;
          const next: Account = {
            ...account,
            twoFactor: twoFactor && {
              ...twoFactor,
              secret: twoFactor.secret && (await reseal(twoFactor.secret)),
            },
            twoFactorSetup: twoFactorSetup && (await reseal(twoFactorSetup)),
          };
          return { next, answer: 'resealed' };
        },
      );
    } catch (error) {
      if (!isUnopenable(error)) throw error;
      return 'failed';
    }
  };

  return async (onProgress: (done: ResealedSecrets) => void): Promise<ResealedSecrets> => {
    const current = await kms.current();
    let resealed = 0;
    let failed = 0;
    for await (const page of sealedPages(deps)) {
      for (const { id } of page) {
        const outcome = await resealAccount(id, current);
        if (outcome === 'resealed') resealed += 1;
        if (outcome === 'failed') failed += 1;
        onProgress({ resealed, failed });
      }
    }
    return { resealed, failed };
  };
};

/** The last count of secrets and file records sealed by each master key. */
export interface SealedKeys {
  /** Epoch milliseconds. */
  readonly countedAt: number;
  /** The id of the current key at that time. */
  readonly current: string;
  /** By key id; null counts secrets and wrapped keys in an unknown format. */
  readonly counts: readonly (readonly [id: string | null, count: number])[];
}

const NAME = 'sealed-keys';

export const makeFindSealedKeys = (deps: Deps) => async (): Promise<SealedKeys | undefined> =>
  (await deps.jobResults.find<SealedKeys>(NAME))?.value;

/** Counts the secrets and file records that each master key sealed, and stores the counts. Yields after each page. */
export const makeCountSealedKeys = (deps: Deps) => {
  const { clock, jobResults, kms, userFiles } = deps;
  return async function* (): AsyncGenerator<undefined, void> {
    const counts = new Map(await userFiles.countByKey());
    yield;
    yield* addSealed(deps, counts);
    const value: SealedKeys = { countedAt: clock.now(), current: await kms.current(), counts: [...counts] };
    // A lost conditional write is fine: the other process counted the same secrets.
    await jobResults.put(NAME, value, (await jobResults.find(NAME))?.version ?? 0);
  };
};
