import { CoreError } from '../../../errors.ts';
import type { Kit } from '../../kit.ts';
import { type AuditVerdict, makeVerifySteps } from './verify-audit.ts';

/** A check of the whole audit log in the background, as it is kept. Times in epoch milliseconds. */
interface KeptCheck {
  readonly isRunning: boolean;
  readonly checked: number;
  readonly rows: number;
  readonly startedAt: number;
  /** Of the last check that ended. */
  readonly verdict: AuditVerdict | null;
  readonly endedAt: number | null;
}

/** A check of the audit log as operators see it. */
export interface AuditCheck {
  readonly state: 'none' | 'running' | 'done';
  /** Rows looked at so far. */
  readonly checked: number;
  /** Rows in the log when the check was asked for. */
  readonly rows: number;
  /** ISO 8601; null where none was ever asked for. */
  readonly startedAt: string | null;
  /** Of the last check that ended, with the time of its end. */
  readonly verdict: AuditVerdict | null;
  readonly endedAt: string | null;
}

const NAME = 'audit-check';
/** Milliseconds between two notes of the progress. */
const NOTED_EVERY = 1_000;

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

const shown = (check: KeptCheck | undefined): AuditCheck => {
  const { isRunning, startedAt, endedAt, ...counts } = check ?? NONE;
  const state = check === undefined ? 'none' : isRunning ? 'running' : 'done';
  return { state, ...counts, startedAt: check === undefined ? null : iso(startedAt), endedAt: iso(endedAt) };
};

const NONE: KeptCheck = {
  isRunning: false,
  checked: 0,
  rows: 0,
  startedAt: 0,
  verdict: null,
  endedAt: null,
};

const alreadyRunning = () =>
  new CoreError('conflict', 'already_running', 'A check of the audit log is under way.');

export const makeShowAuditCheck =
  ({ findings }: Pick<Kit, 'findings'>) =>
  async (): Promise<AuditCheck> =>
    shown((await findings.find<KeptCheck>(NAME))?.value);

/** Asks for a check, which the background work of some process does. */
export const makeStartAuditCheck =
  ({ audit, clock, findings, wake }: Pick<Kit, 'audit' | 'clock' | 'findings' | 'wake'>) =>
  async (): Promise<AuditCheck> => {
    const last = await findings.find<KeptCheck>(NAME);
    if (last?.value.isRunning) throw alreadyRunning();
    const asked: KeptCheck = {
      ...(last?.value ?? NONE),
      isRunning: true,
      checked: 0,
      rows: (await audit.head())?.number ?? 0,
      startedAt: clock.now(),
    };
    if (!(await findings.put(NAME, asked, last?.version ?? 0))) throw alreadyRunning();
    wake();
    return shown(asked);
  };

/**
 * Does the check that was asked for, from the first row on: also one that another process began and did not end. Gives
 * every few rows, so that whoever runs it can let others have the event loop.
 */
export const makeRunAuditCheck = (kit: Kit) => {
  const { clock, findings, log } = kit;
  const verifySteps = makeVerifySteps(kit);

  return async function* (): AsyncGenerator<undefined, void> {
    const found = await findings.find<KeptCheck>(NAME);
    if (!found?.value.isRunning) return;
    let { version } = found;
    /** False where another process goes on with it. */
    const note = async (changes: Partial<KeptCheck>): Promise<boolean> => {
      const isOurs = await findings.put(NAME, { ...found.value, ...changes }, version);
      version += 1;
      return isOurs;
    };

    const steps = verifySteps();
    let notedAt = clock.now();
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done) {
        const { value: verdict } = step;
        await note({ isRunning: false, checked: verdict.rows, verdict, endedAt: clock.now() });
        if (verdict.intact) log.info('audit.checked', { count: verdict.rows });
        else
          log.error('audit.broken', {
            count: verdict.broken?.number ?? 0,
            reason: verdict.broken?.fault ?? '',
          });
        return;
      }
      yield;
      if (Math.abs(clock.now() - notedAt) < NOTED_EVERY) continue;
      notedAt = clock.now();
      if (!(await note({ checked: step.value }))) return;
    }
  };
};
