import { invalidCursor, makeTextCursor } from '../../../cursor.ts';
import { CoreError } from '../../../errors.ts';
import { isId, timeOfId } from '../../../ids.ts';
import type { Kit } from '../../kit.ts';
import type { AuditParty, AuditRow } from '../../ports.ts';
import { makeFindUser } from '../act.ts';
import { type AuditLine, auditLine } from './audit-rows.ts';

/** Which rows to list; all given conditions must hold. An erased row matches no action and no time. */
export interface ListAuditBack {
  /** About this user, or done by them: an id, also of a deleted account, or an email. */
  readonly user?: string;
  /** An actor, the email of one, or the name of a person who acted at the command line. */
  readonly actor?: string;
  readonly action?: string;
  /** What the row is about: an id, also of a deleted account, an email, or a name such as `outbox`. */
  readonly target?: string;
  /** Epoch milliseconds; rows of this time belong to it. */
  readonly since?: number;
  /** The same; rows of this time do not. */
  readonly until?: number;
  /** From the answer before. */
  readonly cursor?: string;
  /** At most `adminPageLongest`, and cut to it. */
  readonly limit?: number;
}

export interface AuditPage {
  readonly rows: readonly AuditLine[];
  /** There while more may follow. */
  readonly cursor?: string;
  /** There when the search gave up, having looked at `listLooks` rows: the time, ISO 8601, of the last of them. */
  readonly searchedTo?: string;
}

/** Rows that one read gives, where most of them may not be wanted. */
const PAGE = 500;

/** What a search asks the store for, and what it has to look for in each row itself. */
interface Search {
  readonly party?: AuditParty;
  readonly isWanted?: (line: AuditLine) => boolean;
}

const isOf = (line: AuditLine, actor: string): boolean => line.actor === actor || line.person === actor;

/** The newest rows of the audit log, a page at a time, for operators. */
export const makeListAuditBack = (kit: Kit) => {
  const { audit, digest, policy } = kit;
  const findUser = makeFindUser(kit);
  const cursors = makeTextCursor(digest, 'audit');

  /** An id where the text is the email of an account; the text where it is no email. */
  const idOf = async (text: string): Promise<string> =>
    isId(text) || !text.includes('@') ? text : (await findUser(text)).id;

  /** A person may have a name that looks like an email. */
  const actorOf = async (text: string): Promise<string> => {
    try {
      return await idOf(text);
    } catch (error) {
      if (error instanceof CoreError && ['missing', 'invalid'].includes(error.kind)) return text;
      throw error;
    }
  };

  const partyOf = (
    user: string | undefined,
    target: string | undefined,
    actor: string | undefined,
  ): AuditParty | undefined => {
    if (user !== undefined) return { id: user, as: 'either' };
    if (target !== undefined) return { id: target, as: 'target' };
    // The store knows no persons: such rows are looked for.
    return actor !== undefined && isId(actor) ? { id: actor, as: 'actor' } : undefined;
  };

  const searchOf = async (input: ListAuditBack): Promise<Search> => {
    const { action, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = input;
    const user =
      input.user === undefined ? undefined : isId(input.user) ? input.user : (await findUser(input.user)).id;
    const target = input.target === undefined ? undefined : await idOf(input.target);
    const actor = input.actor === undefined ? undefined : await actorOf(input.actor);
    const party = partyOf(user, target, actor);
    const isTimed = input.since !== undefined || input.until !== undefined;
    const isInTime = ({ at }: AuditLine) => at !== null && Date.parse(at) >= since && Date.parse(at) < until;
    const left = [
      ...(target !== undefined && party?.as !== 'target'
        ? [(line: AuditLine) => line.target === target]
        : []),
      ...(actor !== undefined && party?.as !== 'actor' ? [(line: AuditLine) => isOf(line, actor)] : []),
      ...(action !== undefined ? [(line: AuditLine) => line.action === action] : []),
      ...(isTimed ? [isInTime] : []),
    ];
    return {
      ...(party && { party }),
      ...(left.length > 0 && { isWanted: (line) => left.every((condition) => condition(line)) }),
    };
  };

  const startOf = (cursor: string | undefined): number => {
    if (cursor === undefined) return Number.POSITIVE_INFINITY;
    const place = cursors.read(cursor);
    if (place === undefined) throw invalidCursor();
    return Number(place);
  };

  return async (input: ListAuditBack): Promise<AuditPage> => {
    const start = startOf(input.cursor);
    const { party, isWanted } = await searchOf(input);
    const most = Math.min(input.limit ?? policy.adminPageDefault, policy.adminPageLongest);
    const found: AuditLine[] = [];
    let last: AuditRow | undefined;
    for (let left = policy.listLooks; left > 0; ) {
      const asked = Math.min(left, isWanted === undefined ? most + 1 : PAGE);
      const page = await audit.listBack(last?.number ?? start, asked, party);
      for (const row of page) {
        const line = auditLine(row);
        if (isWanted?.(line) === false) continue;
        if (found.length === most) return { rows: found, cursor: cursors.write(`${found.at(-1)?.number}`) };
        found.push(line);
      }
      if (page.length < asked) return { rows: found };
      last = page.at(-1);
      left -= page.length;
    }
    if (last === undefined) return { rows: found };
    const searchedTo = new Date(timeOfId(last.entryId)).toISOString();
    return { rows: found, cursor: cursors.write(`${last.number}`), searchedTo };
  };
};
