import { expect } from 'chai';
import type { Principal } from '../../../core/index.ts';
import { codeAt } from '../../servers/accounts/second-factor/factor.ts';
import type { Operated } from './admin/open-operated.ts';
import { password } from './admin/open-operated.ts';
import { caller } from './open-core.ts';

/** A user for one row of a table, and what acts take. */
export interface AuditCaseUser extends Operated {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  who(token?: string): Promise<Principal>;
  /** The newest code that was mailed to the user. */
  mailedCode(): Promise<string>;
  /** Switches the second factor on; gives what makes codes of it. */
  turnOnFactor(): Promise<{ readonly code: () => string; readonly recoveryCodes: readonly string[] }>;
}

/** Something that is done, and the actions of the rows that it writes about the user, in their order. */
export interface AuditCase {
  readonly act: (ground: AuditCaseUser) => Promise<unknown>;
  /** Done before, so that its rows are not looked at. */
  readonly first?: (ground: AuditCaseUser) => Promise<unknown>;
  readonly rows: readonly string[];
  /** Whom the rows are about: the user, when absent. */
  readonly about?: (ground: AuditCaseUser) => Promise<string>;
  /** Who did it: the user, when absent. The system erases. */
  readonly actor?: string;
}

const STEP = 30_000;

const signUpUser = async (operated: Operated, place: number): Promise<AuditCaseUser> => {
  const user = await operated.signUp(`user${place}@example.com`);
  const { accounts, mails, ports, settle } = operated;
  const who = (token = user.token) => accounts.authenticate(token);
  let time = ports.clock.now();
  return {
    ...operated,
    ...user,
    who,
    mailedCode: async () => {
      await settle();
      const text = mails.findLast(({ to }) => to === user.email)?.text ?? '';
      return /\b(\d{6}|[0-9A-Z]{5}-[0-9A-Z]{5})\b/.exec(text)?.[0] ?? '';
    },
    turnOnFactor: async () => {
      const setup = await accounts.configureTwoFactor(await who(), { enable: true }, caller);
      if (!('secret' in setup)) throw new Error('No setup began.');
      const { secret } = setup;
      // Codes of the step before, this one and the next are taken, each step once.
      time -= STEP;
      const code = () => {
        const code = codeAt(secret, time);
        time += STEP;
        return code;
      };
      const confirm = { enable: true, secret, verificationCode: code() };
      const on = await accounts.configureTwoFactor(await who(), confirm, caller);
      return { code, recoveryCodes: ('recoveryCodes' in on && on.recoveryCodes) || [] };
    },
  };
};

/** A test for each entry: it is done, and the rows about the user are those of the table and no others. */
export const testTable = (
  table: Readonly<Record<string, readonly AuditCase[]>>,
  operated: () => Operated,
): void => {
  let place = 0;
  for (const [name, entries] of Object.entries(table))
    it(`${name}: ${entries.map(({ rows }) => rows.join(' and ') || 'none').join('; ')}`, async () => {
      for (const { act, first, rows, about, actor } of entries) {
        place += 1;
        const ground = await signUpUser(operated(), place);
        await first?.(ground);
        const before = (await ground.rowsAbout(ground.id)).length;
        await act(ground);
        const target = (await about?.(ground)) ?? ground.id;
        const written = (await ground.rowsAbout(target)).slice(target === ground.id ? before : 0);
        expect(written.map(({ action }) => action)).to.deep.equal(rows);
        for (const row of written)
          expect(row.actor, `${row.action}`).to.equal(
            row.action === 'audit.erased' ? 'system' : (actor ?? ground.id),
          );
      }
    });
};

export { caller, password };
