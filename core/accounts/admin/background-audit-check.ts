import { CoreError } from '../../errors.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { integer, nullable, object, oneOf, type TypeOf } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { type AuditVerdict, auditVerdict, makeVerifySteps } from './verify-audit.ts';

/** A check of the whole audit log in the background, as stored. Times in epoch milliseconds. */
interface StoredCheck {
  readonly isRunning: boolean;
  readonly checked: number;
  readonly rows: number;
  readonly startedAt: number;
  /** `verdict` and `endedAt`: of the last finished check. */
  readonly verdict: AuditVerdict | null;
  readonly endedAt: number | null;
}

const TIME_EXAMPLE = '2026-11-21T18:00:00.000Z';

export const auditCheck = object(
  {
    state: oneOf(['none', 'running', 'done']),
    checked: integer({ description: 'Rows looked at so far', examples: [600] }),
    rows: integer({ description: 'Rows in the log when the check was asked for', examples: [1_204] }),
    startedAt: timeOrNull('Null where none was ever asked for', TIME_EXAMPLE),
    verdict: nullable(auditVerdict),
    endedAt: timeOrNull('When the check of the verdict ended', TIME_EXAMPLE),
  },
  { title: 'AuditCheck' },
);
/**
 * A check of the audit log as operators see it. `verdict` and `endedAt` are of the last finished check. Times are ISO 8601.
 */
export type AuditCheck = TypeOf<typeof auditCheck>;

const NAME = 'audit-check';
/** How often a running check saves its progress. A clock that was set back by more than this causes a save, too. */
const PROGRESS_INTERVAL_MS = 1_000;

const NONE: AuditCheck = {
  state: 'none',
  checked: 0,
  rows: 0,
  verdict: null,
  startedAt: null,
  endedAt: null,
};

const viewCheck = ({ isRunning, startedAt, endedAt, ...counts }: StoredCheck): AuditCheck => ({
  state: isRunning ? 'running' : 'done',
  ...counts,
  startedAt: isoTime(startedAt),
  endedAt: isoTimeOrNull(endedAt),
});

const alreadyRunning = () =>
  new CoreError('conflict', 'already_running', 'A check of the audit log is already running.');

export const makeShowAuditCheck = (deps: Deps) => async (): Promise<AuditCheck> => {
  const stored = await deps.jobResults.find<StoredCheck>(NAME);
  return stored === undefined ? NONE : viewCheck(stored.value);
};

/** Requests a check; the background work of any process runs it. */
export const makeStartAuditCheck =
  ({ audit, clock, jobResults, wake }: Pick<Deps, 'audit' | 'clock' | 'jobResults' | 'wake'>) =>
  async (): Promise<AuditCheck> => {
    const stored = await jobResults.find<StoredCheck>(NAME);
    if (stored?.value.isRunning) throw alreadyRunning();
    const check: StoredCheck = {
      isRunning: true,
      checked: 0,
      rows: (await audit.head())?.number ?? 0,
      startedAt: clock.now(),
      verdict: stored?.value.verdict ?? null,
      endedAt: stored?.value.endedAt ?? null,
    };
    if (!(await jobResults.put(NAME, check, stored?.version ?? 0))) throw alreadyRunning();
    wake();
    return viewCheck(check);
  };

/**
 * Runs the requested check from the first row, even if another process began the check and did not finish it. Yields
 * after every few rows, so that the caller can release the event loop.
 */
export const makeRunAuditCheck = (deps: Deps) => {
  const { clock, jobResults, log } = deps;
  const verifySteps = makeVerifySteps(deps);

  return async function* (): AsyncGenerator<undefined, void> {
    const stored = await jobResults.find<StoredCheck>(NAME);
    if (!stored?.value.isRunning) return;
    let { version } = stored;
    /** False if another process continues the check. */
    const saveProgress = async (changes: Partial<StoredCheck>): Promise<boolean> => {
      const isSaved = await jobResults.put(NAME, { ...stored.value, ...changes }, version);
      version += 1;
      return isSaved;
    };

    const steps = verifySteps();
    let savedAt = clock.now();
    // Not `for await`, which ignores the verdict that the steps return at their end.
    let step = await steps.next();
    for (; !step.done; step = await steps.next()) {
      yield;
      if (Math.abs(clock.now() - savedAt) < PROGRESS_INTERVAL_MS) continue;
      savedAt = clock.now();
      if (!(await saveProgress({ checked: step.value }))) return;
    }
    const verdict = step.value;
    const { intact, rows, broken } = verdict;
    await saveProgress({ isRunning: false, checked: rows, verdict, endedAt: clock.now() });
    if (intact) log.info('audit.checked', { count: rows });
    else log.error('audit.broken', { count: broken?.number ?? 0, reason: broken?.fault ?? '' });
  };
};
