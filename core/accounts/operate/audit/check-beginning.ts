import { timeOfId } from '../../../ids.ts';
import { BEGUN } from '../../aftermath/audit.ts';
import type { Kit } from '../../kit.ts';
import type { AuditRow } from '../../ports.ts';
import { readContent } from './audit-rows.ts';
import type { BrokenRow } from './check-audit-row.ts';

/** Milliseconds by which a clock may have been wrong when the log began, and set right since. */
const CLOCK_SET_RIGHT = 86_400_000;

const gone = (problem: string): BrokenRow => ({ number: 1, fault: 'cut off', problem });

/**
 * Whether the log is as old as the store. A log begins with the store, before there is any account. If it begins later,
 * somebody took the earlier one away, with its head. `first` is the first row, if there is one.
 */
export const makeCheckBeginning =
  ({ audit }: Pick<Kit, 'audit'>) =>
  async (first: AuditRow | undefined): Promise<BrokenRow | undefined> => {
    const { inUse, firstAccount } = await audit.usage();
    if (first === undefined) return inUse ? gone('the store is in use, and the log is not there') : undefined;
    const content = readContent(first);
    // A log of before there were such rows.
    if (content?.action !== BEGUN) return undefined;
    if (content.after?.inUse !== false) return gone('the log was begun anew when the store was in use');
    const isOlder = firstAccount !== null && timeOfId(firstAccount) < content.at - CLOCK_SET_RIGHT;
    return isOlder ? gone('there are accounts that are older than the log') : undefined;
  };
