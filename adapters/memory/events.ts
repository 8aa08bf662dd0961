import type { Events, UserEvent } from '../../core/events.ts';

/** Keeps the published events. */
export interface MemoryEvents extends Events {
  readonly told: readonly UserEvent[];
}

/** `listener` belongs to an app and gets the events as well. */
export const makeMemoryEvents = (listener?: Events): MemoryEvents => {
  const told: UserEvent[] = [];
  return {
    told,
    publish: async (event) => {
      told.push(event);
      await listener?.publish(event);
    },
  };
};
