import type { Job } from './response-types.ts';

/**
 * The state of a job: stalled after three missed runs, and at least two minutes. `at`: the server's time of the check.
 */
export const stateOf = ({ lastSuccessAt, everySeconds }: Job, at: string): 'well' | 'late' | 'waits' => {
  if (lastSuccessAt === null) return 'waits';
  // The operator's own clock may be wrong by hours.
  const age = Date.parse(at) - Date.parse(lastSuccessAt);
  return age > Math.max(120, everySeconds * 3) * 1_000 ? 'late' : 'well';
};
