/** Where an event stands among all of a provider, whenever and however often it arrives. */
export interface EventOrder {
  /** Epoch microseconds, as the provider tells them. */
  readonly at: number;
  /** Decides between events of one microsecond: what comes of a kind that stands later in the list of kinds is newer. */
  readonly rank: number;
  /** The delivery's id; decides between what is equal otherwise. */
  readonly id: string;
}

/** Whether the first is newer. An event is never newer than itself, so nothing is applied twice. */
export const isNewer = (one: EventOrder, other: EventOrder): boolean => {
  if (one.at !== other.at) return one.at > other.at;
  if (one.rank !== other.rank) return one.rank > other.rank;
  return one.id > other.id;
};

/** Kinds by what follows what when two events bear one time. */
const KINDS = [
  'created',
  'active',
  'resumed',
  'updated',
  'uncanceled',
  'past_due',
  'canceled',
  'paused',
  'revoked',
  'deleted',
];

/** The rank of a kind such as `subscription.updated`. */
export const rankOf = (kind: string): number => KINDS.indexOf(kind.slice(kind.lastIndexOf('.') + 1));

/** The provider's own answer: newer than every event up to then. */
export const answered = (milliseconds: number): EventOrder => ({
  at: milliseconds * 1_000,
  rank: KINDS.length,
  id: '',
});
