/** Something that is sent to an address outside; `at` in epoch milliseconds. */
export interface Sendable {
  readonly id: string;
  readonly at: number;
  /** Entries for one address are sent one after another. */
  readonly to: string;
}

/** An entry in an outbox. */
export interface Waiting<Entry extends Sendable> {
  readonly entry: Entry;
  readonly userId: string;
  readonly tries: number;
  readonly dueAt: number;
  /** When it was told to wait until then. */
  readonly waitsFrom: number;
  /** Set when it was given up. */
  readonly deadAt: number | null;
  /** Why the last try failed: a word, never an address or another party's text. */
  readonly lastFailure: string | null;
}

/** An entry as it enters the outbox: due at once. */
export const newWaiting = <Entry extends Sendable>(userId: string, entry: Entry): Waiting<Entry> => ({
  entry,
  userId,
  tries: 0,
  dueAt: entry.at,
  waitsFrom: entry.at,
  deadAt: null,
  lastFailure: null,
});

/** How an entry stands: `waiting` for its first try, `failing` between tries, `dead` when it was given up. */
export type OutboxState = 'waiting' | 'failing' | 'dead';

export const stateOf = ({ deadAt, tries }: Pick<Waiting<Sendable>, 'deadAt' | 'tries'>): OutboxState =>
  deadAt !== null ? 'dead' : tries > 0 ? 'failing' : 'waiting';

/** Entries that stand alike. */
export interface OutboxCount {
  /** What an outbox keeps apart, such as the endpoint of deliveries; empty where it keeps nothing apart. */
  readonly group: string;
  readonly state: OutboxState;
  readonly count: number;
  /** When the oldest of them was made. */
  readonly oldestAt: number;
}

/** Some of the entries of a part, counted, with the last of their ids. */
export interface PartCount extends OutboxCount {
  readonly lastId: string;
}

/** Counts an outbox part after part, each of `size` entries by id, so that no look at many of them holds up others. */
export const countInParts = async (
  size: number,
  read: (after: string, size: number) => Promise<readonly PartCount[]>,
): Promise<readonly OutboxCount[]> => {
  const counts = new Map<string, OutboxCount>();
  for (let after = ''; ; ) {
    const part = await read(after, size);
    let seen = 0;
    for (const { group, state, count, oldestAt, lastId } of part) {
      const before = counts.get(`${group} ${state}`);
      counts.set(`${group} ${state}`, {
        ...{ group, state },
        count: count + (before?.count ?? 0),
        oldestAt: Math.min(oldestAt, before?.oldestAt ?? oldestAt),
      });
      seen += count;
      if (lastId > after) after = lastId;
    }
    if (seen < size) return [...counts.values()];
  }
};

/** Entries that wait to be sent, in order for each address. */
export interface Outbox<Entry extends Sendable> {
  /** Adds an entry once; another call with its id changes nothing. */
  add(userId: string, entry: Entry): Promise<void>;
  /**
   * Addresses with an entry due by `now`, the longest waiting first. One that waits from a time to come is due as well:
   * the clock was set back since, and would make it wait for longer than it was told to.
   */
  listDue(now: number, limit: number): Promise<readonly string[]>;
  /** All of an address that are not dead, in the order in which they were made. */
  listFor(to: string): Promise<readonly Waiting<Entry>[]>;
  /** Claims an entry for a try: false when it is gone, or a higher fence has claimed it before. */
  claim(id: string, fence: number): Promise<boolean>;
  /** It was handed over: it goes. */
  remove(id: string): Promise<void>;
  postpone(
    id: string,
    wait: { readonly from: number; readonly until: number },
    failure: string,
  ): Promise<void>;
  /** Gives it up; it stays readable for the operator. */
  bury(id: string, now: number, failure: string): Promise<void>;
  /** All there are, dead ones too, by id, from the one after `after` (null: the first). */
  list(after: string | null, limit: number): Promise<readonly Waiting<Entry>[]>;
  /** How many there are, all of them, by group and state. */
  count(): Promise<readonly OutboxCount[]>;
  /** Makes one due by `now`, or all of them (null), and lets dead ones live again. Says how many. */
  retry(id: string | null, now: number): Promise<number>;
}

/** `again`: may work later, `after` milliseconds when the other side said so. `refused`: never will. */
export type Delivery =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'again'; readonly after: number | null; readonly failure: string }
  | { readonly outcome: 'refused'; readonly failure: string };
