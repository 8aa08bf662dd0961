import type { Events, Happened } from '../../core/events.ts';

/** Keeps the events that it was told. */
export interface MemoryEvents extends Events {
  readonly told: readonly Happened[];
}

/** `listener` is of an app, which gets the events as well. */
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
