import type { Storage } from './tokens.ts';

/** The purpose of a flow at a provider. */
export type FlowPurpose = 'login' | 'link' | 'reauthenticate';

/** The data of a flow that this app stores until the browser comes back. */
export interface FlowSlot {
  readonly state: string;
  /** The code verifier (RFC 7636), without which the returned code is useless. */
  readonly verifier: string;
  readonly purpose: FlowPurpose;
  /** The redirect URI, for flows whose exchange must repeat it. */
  readonly returnTo?: string;
}

/** The storage key of flows at providers. */
const PROVIDER_FLOWS = 'gatehouse-sign-in';
const MAX_FLOWS = 5;

const isSlot = (value: unknown): value is FlowSlot => {
  // `Object` turns null, whose members cannot be read, into an empty object.
  const { state, verifier, purpose }: Readonly<Record<string, unknown>> = Object(value);
  return [state, verifier, purpose].every((member) => typeof member === 'string');
};

const readSlots = (storage: Storage, name: string): readonly FlowSlot[] => {
  try {
    const parsed: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isSlot) : [];
  } catch {
    return [];
  }
};

const writeSlots = (storage: Storage, name: string, slots: readonly FlowSlot[]) =>
  slots.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(slots));

/** Stores a flow. Up to five flows run side by side; a sixth one replaces the oldest. */
export const storeFlow = (storage: Storage, slot: FlowSlot, name = PROVIDER_FLOWS): void =>
  writeSlots(storage, name, [...readSlots(storage, name), slot].slice(-MAX_FLOWS));

/** Removes and returns a flow; undefined for an unknown state. */
export const takeFlow = (storage: Storage, state: string, name = PROVIDER_FLOWS): FlowSlot | undefined => {
  const slots = readSlots(storage, name);
  const match = slots.find((slot) => slot.state === state);
  const others = slots.filter((slot) => slot !== match);
  if (match !== undefined) writeSlots(storage, name, others);
  return match;
};

const makeMemoryStorage = (): Storage => {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, text) => void values.set(name, text),
    removeItem: (name) => void values.delete(name),
  };
};

/** Returns a function that finds the tab's `sessionStorage`, or the memory of this program if the platform has none. */
export const makeTabStorageFinder = (): (() => Storage) => {
  const memory = makeMemoryStorage();
  return () => {
    // `Object` changes only the type: not every platform declares `sessionStorage`.
    const { sessionStorage }: { readonly sessionStorage?: Storage } = Object(globalThis);
    return sessionStorage ?? memory;
  };
};
