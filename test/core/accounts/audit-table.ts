import { expect } from 'chai';
import type { AdminContext } from './admin/open-admin-accounts.ts';

/** A new user for one case of a table, with the calls that cases use. */
const signUpUser = async (core: AdminContext, place: number) => {
  const user = await core.signUp(`user${place}@example.com`);
  return { ...core, ...user, turnOnFactor: () => core.turnOnFactor(user) };
};
export type AuditCaseUser = Awaited<ReturnType<typeof signUpUser>>;

/** An act, and the actions of the audit rows that it writes about the user, in order. */
export interface AuditCase {
  readonly act: (context: AuditCaseUser) => Promise<unknown>;
  /** Preparation, whose rows are not compared. */
  readonly first?: (context: AuditCaseUser) => Promise<unknown>;
  readonly rows: readonly string[];
  /** The id that the rows are about; the user if absent. */
  readonly about?: (context: AuditCaseUser) => Promise<string>;
  /** The actor of the rows; the user if absent. The system is always the actor of an erasure. */
  readonly actor?: string;
}

/** A test for each entry: the act writes exactly the rows of the table. Rows of an entry with an actor name the person. */
export const testTable = (
  table: Readonly<Record<string, readonly AuditCase[]>>,
  core: () => AdminContext,
  person: string | null = null,
): void => {
  let place = 0;
  for (const [name, entries] of Object.entries(table))
    it(`for ${name} are ${entries.map(({ rows }) => rows.join(' and ') || 'none').join('; ')}`, async () => {
      for (const { act, first, rows, about, actor } of entries) {
        place += 1;
        const context = await signUpUser(core(), place);
        await first?.(context);
        const before = (await context.rowsAbout(context.id)).length;
        await act(context);
        const target = (await about?.(context)) ?? context.id;
        const written = (await context.rowsAbout(target)).slice(target === context.id ? before : 0);
        expect(written.map(({ action }) => action)).to.deep.equal(rows);
        for (const row of written) {
          const isErasure = row.action === 'audit.erased';
          expect(row.actor, `${row.action}`).to.equal(isErasure ? 'system' : (actor ?? context.id));
          expect(row.person, `${row.action}`).to.equal(isErasure || actor === undefined ? null : person);
        }
      }
    });
};
