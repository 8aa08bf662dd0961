import { CoreError } from '../../errors.ts';
import { calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { AuditValue } from '../outbox-entries.ts';
import { acceptOperator, type Operator } from './admin-action.ts';

/** Records an action of an operator outside the accounts, such as a key rotation. */
export const makeRecord = (deps: Deps) => {
  const { appendAudit, entries, log } = deps;

  return async (action: string, target: string, after: AuditValue, by: Operator): Promise<void> => {
    const operator = acceptOperator(by);
    await appendAudit(entries.audit({ action, target, after, ...operator }));
    log.info('operator.acted', { id: target, reason: action, ...(by.caller && calledFrom(by.caller)) });
  };
};

/** Work outside the accounts, and its audit rows. */
export interface RecordedWork<T> {
  /** The row before the work has the action `${name}_started`, the row of a failure `${name}_failed`. */
  readonly name: string;
  /** The action of the row after successful work. */
  readonly done: string;
  readonly target: string;
  /**
   * Does the work. It must await `recordStart`, which writes the first row, before any effect. Work that finds nothing
   * to do does not call `recordStart`, and no row is written.
   */
  readonly run: (recordStart: () => Promise<void>) => Promise<WorkOutcome<T>>;
}

export interface WorkOutcome<T> {
  readonly answer: T;
  /** The outcome as its row records it. */
  readonly after: AuditValue;
  /** The target of that row if the work created it, such as a new key. Default: the target of the work. */
  readonly made?: string;
}

/**
 * Runs work with a row before it and a row with the outcome after it: a process that dies in between leaves the first
 * row as a trace. Rethrows the work's errors.
 */
export const makeRecordWork = (deps: Deps) => {
  const record = makeRecord(deps);

  return async <T>({ name, done, target, run }: RecordedWork<T>, by: Operator): Promise<T> => {
    let isStarted = false;
    const recordStart = async () => {
      await record(`${name}_started`, target, {}, by);
      isStarted = true;
    };
    const recordFailure = async (error: unknown) => {
      const failure = error instanceof CoreError ? error.code : 'failed';
      // The work's error matters more to the caller than the failure to write this row.
      await record(`${name}_failed`, target, { failure }, by).catch(() => undefined);
    };
    const outcome = await run(recordStart).catch(async (error: unknown) => {
      if (isStarted) await recordFailure(error);
      throw error;
    });
    // Not recorded as a failure if this throws: the work is done, and only its row is missing.
    if (isStarted) await record(done, outcome.made ?? target, outcome.after, by);
    return outcome.answer;
  };
};

/** Records in the process log, without an audit row, that an operator viewed a user. */
export const makeNoteView =
  ({ log }: Pick<Deps, 'log'>) =>
  async (userId: string, view: string, { actor, caller }: Operator): Promise<void> => {
    log.info('operator.viewed', { userId, id: actor, reason: view, ...(caller && calledFrom(caller)) });
  };
