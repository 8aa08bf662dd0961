import type { TwoFactor } from '../account.ts';
import { codeTriesKey, codeTriesOf, passwordTriesKeys } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { factorHeldUntil } from '../sign-in/second-factor.ts';
import { type Acted, makeAct, makeFindUser, type Operator } from './act.ts';

const withoutHolds = (factor: TwoFactor): TwoFactor => ({
  ...factor,
  wrongInRow: 0,
  heldUntil: null,
  wrongToday: null,
});

export const makeUnlock = (kit: Kit) => {
  const { clock, digest, policy, tries } = kit;
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);

  const countOf = async (keys: readonly string[]): Promise<number> => {
    const found = await Promise.all(keys.map((key) => tries.find(key, clock.now())));
    return found.reduce((sum, one) => sum + (one?.count ?? 0), 0);
  };

  return async (user: string, by: Operator): Promise<Acted> => {
    const account = await findUser(user);
    const passwordKeys = passwordTriesKeys(digest, account);
    const codeKey = codeTriesKey(digest, account.email, account.id);
    const [wrongPasswords, wrongCodes] = await Promise.all([countOf(passwordKeys), countOf([codeKey])]);
    const acted = await act(account.id, by, 'user.unlocked', (found, now) => {
      const factor = found.twoFactor;
      const heldUntil = factor === null ? undefined : factorHeldUntil(factor, policy, now);
      return {
        next: { ...found, twoFactor: factor && withoutHolds(factor) },
        before: { wrongPasswords, wrongCodes, twoFactorHeld: heldUntil !== undefined },
        after: { wrongPasswords: 0, wrongCodes: 0, twoFactorHeld: false },
      };
    });
    await Promise.all([tries.remove(passwordKeys), tries.removeUnder(codeTriesOf(digest, account.email))]);
    return acted;
  };
};
