// What other features of the core may import.
export type * from './event-order.ts';
export type * from './fold-events.ts';
export type * from './ports.ts';
export type * from './subscription.ts';
