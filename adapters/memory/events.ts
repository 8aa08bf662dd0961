import type { Events, Happened } from '../../core/events.ts';

/** Keeps the published events. */
export interface MemoryEvents extends Events {
  readonly told: readonly Happened[];
}

/** `listener` belongs to an app and gets the events as well. */
export const makeMemoryEvents = (listener?: Events): MemoryEvents => {
  const told: Happened[] = [];
  return {
    told,
    publish: async (event) => {
      told.push(event);
      await listener?.publish(event);
    },
  };
};
