import type { Storage } from './tokens.ts';

/** What a trip to a provider is for. */
export type TripPurpose = 'login' | 'link' | 'reauthenticate';

/** What this app keeps of a trip until the browser comes back. */
export interface TripSlot {
  readonly state: string;
  /** The secret half (RFC 7636): with it the code that comes back is worth something. */
  readonly verifier: string;
  readonly purpose: TripPurpose;
  /** Where it comes back to, if that is to be said again. */
  readonly returnTo?: string;
}

const NAME = 'gatehouse-sign-in';
const MOST = 5;

const isSlot = (value: unknown): value is TripSlot => {
  const { state, verifier, purpose }: Readonly<Record<string, unknown>> = Object(value);
  return [state, verifier, purpose].every((part) => typeof part === 'string');
};

const read = (storage: Storage, name: string): readonly TripSlot[] => {
  try {
    const found: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return Array.isArray(found) ? found.filter(isSlot) : [];
  } catch {
    return [];
  }
};

const write = (storage: Storage, name: string, slots: readonly TripSlot[]) =>
  slots.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(slots));

/** Keeps one more trip: a second one does not take the place of the first, but a sixth that of the oldest. */
export const keepTrip = (storage: Storage, slot: TripSlot, name = NAME): void =>
  write(storage, name, [...read(storage, name), slot].slice(-MOST));

/** Takes a trip out. Undefined for a state of which nothing is kept. */
export const takeTrip = (storage: Storage, state: string, name = NAME): TripSlot | undefined => {
  const slots = read(storage, name);
  const found = slots.find((slot) => slot.state === state);
  if (found !== undefined)
    write(
      storage,
      name,
      slots.filter((slot) => slot !== found),
    );
  return found;
};

const makeMemoryStorage = (): Storage => {
  const held = new Map<string, string>();
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, text) => void held.set(name, text),
    removeItem: (name) => void held.delete(name),
  };
};

/** `sessionStorage`, which is the tab's own, where there is one; else the memory of this program. */
export const makeTabStorage = (): (() => Storage) => {
  const memory = makeMemoryStorage();
  return () => {
    const { sessionStorage }: { readonly sessionStorage?: Storage } = Object(globalThis);
    return sessionStorage ?? memory;
  };
};
