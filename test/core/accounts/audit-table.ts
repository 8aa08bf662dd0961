import { expect } from 'chai';
import type { Operated } from './admin/open-operated.ts';

/** A user for one row of a table, and what acts take. */
const signUpUser = async (operated: Operated, place: number) => {
  const user = await operated.signUp(`user${place}@example.com`);
  return { ...operated, ...user, turnOnFactor: () => operated.turnOnFactor(user) };
};
export type AuditCaseUser = Awaited<ReturnType<typeof signUpUser>>;

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

/**
 * A test for each entry: it is done, and the rows about the user are those of the table and no others. Those of an entry
 * with an actor name the person, if one is given.
 */
export const testTable = (
  table: Readonly<Record<string, readonly AuditCase[]>>,
  operated: () => Operated,
  person: string | null = null,
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
        for (const row of written) {
          const isErasure = row.action === 'audit.erased';
          expect(row.actor, `${row.action}`).to.equal(isErasure ? 'system' : (actor ?? ground.id));
          expect(row.person, `${row.action}`).to.equal(isErasure || actor === undefined ? null : person);
        }
      }
    });
};
