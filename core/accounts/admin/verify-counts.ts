import { dayOf } from '../../daily-statistics.ts';
import type { Deps } from '../deps.ts';

const NAME = 'count-check';

/** The last check of the counts that the store keeps. */
interface CountCheck {
  /** UTC. */
  readonly day: string;
  /** How many counts were wrong. */
  readonly wrong: number;
}

/** Verifies once a day the counts that the store keeps, and corrects them. The log names each wrong count and its excess. */
export const makeVerifyCounts = (deps: Pick<Deps, 'clock' | 'directory' | 'findings' | 'log'>) => {
  const { clock, directory, findings, log } = deps;
  return async function* (): AsyncGenerator<undefined, void> {
    const day = dayOf(clock.now());
    const stored = await findings.find<CountCheck>(NAME);
    if (stored?.value.day === day) return;
    // Null while pages follow: each page is one step of the job.
    let wrong = await directory.verifyCounts();
    while (wrong === null) {
      yield undefined;
      wrong = await directory.verifyCounts();
    }
    for (const { name, excess } of wrong) log.error('counts.corrected', { id: name, count: excess });
    log.info('counts.verified', { count: wrong.length });
    await findings.put(NAME, { day, wrong: wrong.length } satisfies CountCheck, stored?.version ?? 0);
  };
};
