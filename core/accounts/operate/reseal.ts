import { CoreError } from '../../errors.ts';
import { pagesOf } from '../../pages.ts';
import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import { totpContext } from '../sign-in/second-factor.ts';

const PAGE = 100;

/** Secrets that were sealed anew, and those that cannot be opened and stay as they were. */
export interface ResealedSecrets {
  readonly resealed: number;
  readonly failed: number;
}

const secretsOf = ({ twoFactor, twoFactorSetup }: Account): readonly string[] =>
  [twoFactor?.secret ?? null, twoFactorSetup].filter((secret) => secret !== null);

const sealedPages = ({ accounts }: Pick<Kit, 'accounts'>) =>
  pagesOf<Account>(PAGE, (after, limit) => accounts.listSealed(after?.id ?? null, limit));

async function* sealedAccounts(kit: Pick<Kit, 'accounts'>): AsyncGenerator<Account> {
  for await (const page of sealedPages(kit)) yield* page;
}

/** All sealed TOTP secrets, a page at a time. */
export async function* sealedSecrets(kit: Pick<Kit, 'accounts'>): AsyncGenerator<readonly string[]> {
  for await (const page of sealedPages(kit)) yield page.flatMap(secretsOf);
}

export const makeCountSealed = (kit: Kit) => async (): Promise<ReadonlyMap<string | null, number>> => {
  const counts = new Map<string | null, number>();
  for await (const page of sealedSecrets(kit)) {
    for (const secret of page) {
      const key = kit.kms.keyOf(secret) ?? null;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
};

export const makeResealSecrets = (kit: Kit) => {
  const { accounts, change, kms, log } = kit;

  const resealOne = async (id: string, current: string): Promise<'nothing' | 'resealed' | 'failed'> => {
    const reseal = async (sealed: string): Promise<string> =>
      kms.keyOf(sealed) === current
        ? sealed
        : kms.seal(await kms.open(sealed, totpContext(id)), totpContext(id));

    try {
      return await change<'nothing' | 'resealed'>(
        () => accounts.find(id),
        async (found) => {
          if (found === undefined || secretsOf(found).every((one) => kms.keyOf(one) === current)) {
            return { next: null, answer: 'nothing' };
          }
          const { twoFactor, twoFactorSetup } = found;
          const next: Account = {
            ...found,
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
      if (!(error instanceof CoreError) || error.kind !== 'invalid') throw error;
      log.warn('accounts.unopenable', { userId: id });
      return 'failed';
    }
  };

  return async (onProgress: (done: ResealedSecrets) => void): Promise<ResealedSecrets> => {
    const current = await kms.current();
    let [resealed, failed] = [0, 0];
    for await (const { id } of sealedAccounts(kit)) {
      const outcome = await resealOne(id, current);
      if (outcome === 'resealed') resealed += 1;
      if (outcome === 'failed') failed += 1;
      onProgress({ resealed, failed });
    }
    return { resealed, failed };
  };
};
