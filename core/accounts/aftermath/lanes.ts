import type { Pending, TaskEntry } from '../pending.ts';
import { CLOCK_SET_BACK } from '../policy.ts';

/** Entries of one lane are moved on in order; those of different lanes do not wait for each other. */
export const laneOf = (entry: Pending): string => (entry.kind === 'task' ? entry.task : entry.kind);

const isDue = ({ retry }: TaskEntry, now: number): boolean =>
  retry === undefined || retry.dueAt <= now || retry.from > now + CLOCK_SET_BACK;

/** Which lanes are held up. No audit row comes before the task that may erase it. */
export const makeLanes = (held: readonly string[]) => {
  const lanes = new Set<string>(held);
  const hold = (entry: Pending): void => {
    lanes.add(laneOf(entry));
    if (entry.kind === 'task' && entry.task === 'erase-audit') lanes.add('audit');
  };
  return {
    hold,
    /** Whether the entry can be moved on now. An entry that is not due yet holds up its lane. */
    opens(entry: Pending, now: number): boolean {
      if (lanes.has(laneOf(entry))) return false;
      if (entry.kind !== 'task' || isDue(entry, now)) return true;
      hold(entry);
      return false;
    },
  };
};

/** Whether any of the entries can be moved on now. */
export const isMovable = (pending: readonly Pending[], held: readonly string[], now: number): boolean => {
  const lanes = makeLanes(held);
  return pending.some((entry) => lanes.opens(entry, now));
};
