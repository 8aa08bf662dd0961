import type { Announcer } from '../../core/index.ts';

/** For a process that is the only one, or has no way to reach the others: these see its writes within a second. */
export const silentAnnouncer: Announcer = {
  announce: async () => undefined,
  onAnnounced: () => undefined,
  close: async () => undefined,
};
