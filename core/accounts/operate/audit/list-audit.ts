import { isId } from '../../../ids.ts';
import type { Kit } from '../../kit.ts';
import { makeFindUser } from '../act.ts';
import { type AuditLine, auditLine } from './audit-rows.ts';
import { makeWalkAudit } from './walk-audit.ts';

/** Which rows to list; all given conditions must hold. An erased row matches no action and no time. */
export interface ListAudit {
  /** About this user, or done by them: an id, also of a deleted account, or an email. */
  readonly user?: string;
  /** An actor, or the name of a person who acted at the command line. */
  readonly actor?: string;
  readonly action?: string;
  /** Epoch milliseconds. */
  readonly since?: number;
}

export const makeListAudit = (kit: Kit) => {
  const walkAudit = makeWalkAudit(kit);
  const findUser = makeFindUser(kit);

  const matches = (line: AuditLine, { actor, action, since }: ListAudit) =>
    (actor === undefined || line.actor === actor || line.person === actor) &&
    (action === undefined || line.action === action) &&
    (since === undefined || (line.at !== null && Date.parse(line.at) >= since));

  return async function* (filter: ListAudit): AsyncGenerator<AuditLine> {
    const { user } = filter;
    const userId = user === undefined || isId(user) ? user : (await findUser(user)).id;
    for await (const row of walkAudit(userId)) {
      const line = auditLine(row);
      if (matches(line, filter)) yield line;
    }
  };
};
