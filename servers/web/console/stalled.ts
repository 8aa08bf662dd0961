import type { Job } from './shapes.ts';

/** How a job stands: stalled when it missed three turns, and at least two minutes. */
export const standingOf = (
  { lastSuccessAt, everySeconds }: Job,
  now = Date.now(),
): 'well' | 'late' | 'waits' => {
  if (lastSuccessAt === null) return 'waits';
  const late = now - Date.parse(lastSuccessAt) > Math.max(120, everySeconds * 3) * 1_000;
  return late ? 'late' : 'well';
};
