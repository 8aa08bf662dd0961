import type { Sealer } from '../ports.ts';

/** Seals values of one kind as JSON; opening gives undefined for everything that was not sealed as this kind. */
export const sealedJson = <T>(sealer: Sealer, context: string) => ({
  seal: (value: T): string => sealer.seal(JSON.stringify(value), context),
  open(text: string): T | undefined {
    const json = sealer.open(text, context);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  },
});
