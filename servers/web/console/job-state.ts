import type { Job } from './response-types.ts';

/** A job is late after three missed runs, but not within two minutes: its last success is known only to the minute. */
export const stateOf = ({ lastSuccessAt, everySeconds }: Job, at: string): 'well' | 'late' | 'waits' => {
  if (lastSuccessAt === null) return 'waits';
  // By the server's time `at`: the operator's own clock may be wrong by hours.
  const ageMs = Date.parse(at) - Date.parse(lastSuccessAt);
  return ageMs > Math.max(120, everySeconds * 3) * 1_000 ? 'late' : 'well';
};
