/** The position of an event among all events of a provider, independent of when and how often it arrives. */
export interface EventOrder {
  /** The time of the event by the provider's clock, epoch microseconds. */
  readonly at: number;
  /** Decides between events of the same microsecond: the kind that comes later in `KINDS` is newer. */
  readonly rank: number;
  /** The delivery's id; decides if time and rank are equal. */
  readonly id: string;
}

/** Whether `a` is newer than `b`. An event is never newer than itself, so nothing is applied twice. */
export const isNewer = (a: EventOrder, b: EventOrder): boolean => {
  if (a.at !== b.at) return a.at > b.at;
  if (a.rank !== b.rank) return a.rank > b.rank;
  return a.id > b.id;
};

/** The kinds of events, the oldest first where their times are equal. */
const KINDS = [
  'created',
  'active',
  'cycled',
  'resumed',
  'updated',
  'uncanceled',
  'past_due',
  'canceled',
  'paused',
  'revoked',
  'deleted',
];

/** The rank of a kind such as `subscription.updated`; -1, the oldest, for an unknown kind. */
export const rankOf = (kind: string): number => KINDS.indexOf(kind.slice(kind.lastIndexOf('.') + 1));

/** The order of an answer that the provider gave at `timeMs`: newer than every event up to that time. */
export const answerOrder = (timeMs: number): EventOrder => ({
  at: timeMs * 1_000,
  rank: KINDS.length,
  id: '',
});
