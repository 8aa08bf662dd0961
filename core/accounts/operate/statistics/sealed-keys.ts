import type { Kit } from '../../kit.ts';
import { sealedSecrets } from '../reseal.ts';

/** How many secrets and file records each master key sealed, by the last count. */
export interface SealedKeys {
  /** Epoch milliseconds. */
  readonly countedAt: number;
  /** The id of the key that sealed at that time. */
  readonly current: string;
  /** By id; null counts those of no known form. */
  readonly counts: readonly (readonly [id: string | null, count: number])[];
}

const NAME = 'sealed-keys';

export const makeFindSealedKeys =
  ({ findings }: Pick<Kit, 'findings'>) =>
  async (): Promise<SealedKeys | undefined> =>
    (await findings.find<SealedKeys>(NAME))?.value;

/** Counts what each master key sealed, and keeps it. Gives after each page. */
export const makeCountSealedKeys = (kit: Kit) => {
  const { clock, findings, kms, userFiles } = kit;
  return async function* (): AsyncGenerator<undefined, void> {
    const counts = new Map(await userFiles.countByKey());
    yield;
    for await (const page of sealedSecrets(kit)) {
      for (const secret of page) {
        const key = kms.keyOf(secret) ?? null;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      yield;
    }
    const value: SealedKeys = { countedAt: clock.now(), current: await kms.current(), counts: [...counts] };
    // Another process that counts at the same time finds the same.
    await findings.put(NAME, value, (await findings.find(NAME))?.version ?? 0);
  };
};
