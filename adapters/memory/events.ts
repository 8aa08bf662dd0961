import type { Events, Happened } from '../../core/events.ts';

/** Keeps the events that it was told. */
export interface MemoryEvents extends Events {
  readonly told: readonly Happened[];
}

/** `own` is an app's listener, which is told as well. */
export const makeMemoryEvents = (own?: Events): MemoryEvents => {
  const told: Happened[] = [];
  return {
    told,
    publish: async (event) => {
      told.push(event);
      await own?.publish(event);
    },
  };
};
