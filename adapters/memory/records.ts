import { whole } from './scalars.ts';

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};

/**
 * A copy of a record that nobody can change, so that it may be handed out as it is. It went through JSON, as in the
 * other stores: a member that is undefined is left out.
 */
export const kept = <T>(record: T): T => frozen(JSON.parse(JSON.stringify(record)) as T);

/** Less than 0 if the first comes first. */
export type Order<T> = (one: T, other: T) => number;

/** The order of these values, each of which decides where those before it are the same. */
export const by =
  <T>(...values: readonly ((item: T) => string | number)[]): Order<T> =>
  (one, other) => {
    for (const value of values) {
      const [first, second] = [value(one), value(other)];
      if (first !== second) return first < second ? -1 : 1;
    }
    return 0;
  };

export const backwards =
  <T>(order: Order<T>): Order<T> =>
  (one, other) =>
    order(other, one);

/** The first items in an order. */
export const first = <Item>(items: Iterable<Item>, order: Order<Item>, limit: number): readonly Item[] =>
  [...items].sort(order).slice(0, whole(limit));

/** The first items behind a position (null: from the first on) in an order. */
export const page = <Position, Item extends Position>(
  items: readonly Item[],
  order: Order<Position>,
  after: Position | null,
  limit: number,
): readonly Item[] =>
  first(
    items.filter((item) => after === null || order(item, after) > 0),
    order,
    limit,
  );

/** The first of the items whose time has come by `now`, in the order of these times. */
export const due = <Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  now: number,
  limit: number,
): readonly Item[] => {
  const end = whole(now);
  return first(
    items.filter((item) => timeOf(item) <= end),
    by(timeOf),
    limit,
  );
};
