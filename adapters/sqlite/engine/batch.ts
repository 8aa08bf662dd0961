import type { Outcome, Result, Unit } from '../../sql/database.ts';
import { retryWhileBusy } from './busy-retry.ts';
import type { Connection } from './connection.ts';
import { failureWord, isOutage, isUnique } from './failures.ts';

/** `broken`: the unit itself is wrong, and nothing of it was written. */
export type UnitAnswer = Outcome | { readonly broken: string };

/** The outcome of a unit. Throws an error for a unit that is wrong. */
export const outcomeOf = (answer: UnitAnswer | undefined): Outcome => {
  if (answer !== undefined && 'done' in answer) return answer;
  throw new Error(`A write to the store is wrong: ${answer?.broken}.`);
};

/** After a `failure` nothing of the batch was written, except perhaps after the failure `exit`: the writer thread ended. */
export type BatchAnswer = { readonly answers: readonly UnitAnswer[] } | { readonly failure: string };

/** Runs the units in one transaction. A rejected unit is undone alone, and does not affect the others. */
export const runBatch = (connection: Connection, units: readonly Unit[]): BatchAnswer => {
  try {
    retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'));
    const answers = units.map((unit) => runUnit(connection, unit));
    connection.exec('COMMIT');
    return { answers };
  } catch (error) {
    rollBack(connection);
    return { failure: failureWord(error) };
  }
};

// A failed statement may have ended the transaction already. If ROLLBACK fails, nothing else can help.
const rollBack = (connection: Connection) => {
  try {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
  } catch {}
};

// A single statement needs no savepoint: SQLite undoes it when it fails, and `need` rejects only a statement without effect.
const runUnit = (connection: Connection, unit: Unit): UnitAnswer => {
  if (unit.length === 1) return attempt(connection, unit);
  connection.exec('SAVEPOINT unit');
  const answer = attempt(connection, unit);
  const isDone = 'done' in answer && answer.done;
  if (!isDone) connection.exec('ROLLBACK TO unit');
  connection.exec('RELEASE unit');
  return answer;
};

const attempt = (connection: Connection, unit: Unit): UnitAnswer => {
  const results: Result[] = [];
  try {
    for (const statement of unit) {
      const result = connection.run(statement);
      if (statement.need === true && result.changes === 0) return { done: false, because: 'need' };
      results.push(result);
    }
  } catch (error) {
    // The whole batch fails, not this unit alone: the store failed, or the transaction ended, with the earlier units in it.
    if (isOutage(error) || !connection.inTransaction()) throw error;
    return isUnique(error) ? { done: false, because: 'unique' } : { broken: failureWord(error) };
  }
  return { done: true, results };
};
