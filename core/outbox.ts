/** Something that is sent to an address outside; `at` in epoch milliseconds. */
export interface Sendable {
  readonly id: string;
  readonly at: number;
  /** Entries for one address are sent one after another. */
  readonly to: string;
}

/** An entry in an outbox, with the state of its delivery. */
export interface OutboxItem<Entry extends Sendable> {
  readonly entry: Entry;
  readonly userId: string;
  /** Attempts so far, even one that a crash cut short. */
  readonly tries: number;
  readonly dueAt: number;
  /** When the entry was last postponed, or created if it never was postponed. */
  readonly waitsFrom: number;
  /** The time when the entry was given up; null otherwise. */
  readonly deadAt: number | null;
  /** Why the last attempt failed, or why the entry waits without one: a word, never an address or a remote text. */
  readonly lastFailure: string | null;
}

/** An entry as it enters the outbox: due at once. */
export const newOutboxItem = <Entry extends Sendable>(userId: string, entry: Entry): OutboxItem<Entry> => ({
  entry,
  userId,
  tries: 0,
  dueAt: entry.at,
  waitsFrom: entry.at,
  deadAt: null,
  lastFailure: null,
});

export const OUTBOX_STATES = ['waiting', 'failing', 'dead'] as const;
/** The state of an entry: `waiting` for its first attempt, `failing` between attempts, `dead` after the last one. */
export type OutboxState = (typeof OUTBOX_STATES)[number];

export const stateOf = ({ deadAt, tries }: Pick<OutboxItem<Sendable>, 'deadAt' | 'tries'>): OutboxState => {
  if (deadAt !== null) return 'dead';
  return tries > 0 ? 'failing' : 'waiting';
};

/** The number of entries of one group and state. */
export interface OutboxCount {
  /** A group of entries, such as the endpoint of deliveries; empty if the outbox has no groups. */
  readonly group: string;
  readonly state: OutboxState;
  readonly count: number;
  /** When the oldest entry was created. */
  readonly oldestAt: number;
}

/** The number of entries of one group and state in a part of the outbox, and the last of their ids. */
export interface PartCount extends OutboxCount {
  readonly lastId: string;
}

/** Counts an outbox in parts of `size` entries by id, so that no long query blocks others. */
export const countByState = async (
  size: number,
  read: (after: string, size: number) => Promise<readonly PartCount[]>,
): Promise<readonly OutboxCount[]> => {
  const counts = new Map<string, OutboxCount>();
  for (let after = ''; ; ) {
    const part = await read(after, size);
    let entries = 0;
    for (const { group, state, count, oldestAt, lastId } of part) {
      const key = `${group} ${state}`;
      const earlier = counts.get(key) ?? { count: 0, oldestAt };
      const oldest = Math.min(oldestAt, earlier.oldestAt);
      counts.set(key, { group, state, count: count + earlier.count, oldestAt: oldest });
      entries += count;
      if (lastId > after) after = lastId;
    }
    if (entries < size) return [...counts.values()];
  }
};

/** Entries that wait to be sent, in order for each address. */
export interface Outbox<Entry extends Sendable> {
  /** Adds an entry once; another call with its id changes nothing. */
  add(userId: string, entry: Entry): Promise<void>;
  /**
   * Addresses with an entry due by `now`, the longest waiting first. An entry that was postponed at a time after `now` is due as
   * well: the clock was set back since, and the entry would wait too long.
   */
  listDue(now: number, limit: number): Promise<readonly string[]>;
  /** All entries of an address that are not dead, in the order of their creation. */
  listFor(to: string): Promise<readonly OutboxItem<Entry>[]>;
  /** Claims an entry for an attempt and counts the attempt: false if it was removed or is dead, or a higher fence claimed it. */
  claim(id: string, fence: number): Promise<boolean>;
  /** Removes a delivered entry. */
  remove(id: string): Promise<void>;
  postpone(
    id: string,
    wait: { readonly from: number; readonly until: number },
    failure: string,
  ): Promise<void>;
  /** Makes an entry dead; it stays readable for operators. */
  bury(id: string, now: number, failure: string): Promise<void>;
  /** Lists all entries, including dead ones, by id, behind `after` (null: from the first). */
  list(after: string | null, limit: number): Promise<readonly OutboxItem<Entry>[]>;
  /** Counts all entries by group and state. */
  count(): Promise<readonly OutboxCount[]>;
  /** Makes an entry due by `now`, or all of them (null), including dead ones. Returns the count. */
  retry(id: string | null, now: number): Promise<number>;
}

/** The entries whose ids differ in the last character at most: ids end with a hexadecimal digit. */
const MOST_SIBLINGS = 16;

/** Whether the outbox has the entry, or any entry (null), by one short list. */
export const hasEntry = async (
  outbox: { list(after: string | null, limit: number): Promise<readonly OutboxItem<Sendable>[]> },
  id: string | null,
): Promise<boolean> => {
  if (id === null) return (await outbox.list(null, 1)).length > 0;
  // The id without its last character sorts right before its siblings.
  const siblings = await outbox.list(id.slice(0, -1), MOST_SIBLINGS);
  return siblings.some(({ entry }) => entry.id === id);
};

/** `again`: may succeed later; `after` is the wait in milliseconds that the receiver asked for. `refused`: never will. */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'again'; readonly after: number | null; readonly failure: string }
  | { readonly outcome: 'refused'; readonly failure: string };
