import type { Job } from './response-types.ts';

/**
 * The state of a job: late after three missed runs, but at the earliest after two minutes, since its success is known to the
 * minute. `at`: the server's time of the check.
 */
export const stateOf = ({ lastSuccessAt, everySeconds }: Job, at: string): 'well' | 'late' | 'waits' => {
  if (lastSuccessAt === null) return 'waits';
  // The operator's own clock may be wrong by hours.
  const ageMs = Date.parse(at) - Date.parse(lastSuccessAt);
  return ageMs > Math.max(120, everySeconds * 3) * 1_000 ? 'late' : 'well';
};
