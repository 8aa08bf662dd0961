import { exitCodes } from '../adapters/exit-codes.ts';
import type { ResealResult } from '../core/files/reseal.ts';
import { type CommandContext, changeAndRecord, type Product } from './context.ts';
import { makeOutput, say } from './terminal/print-results.ts';
import { makeProgress, type Progress } from './terminal/progress.ts';
import type { ActingOptions } from './terminal/verbs-and-options.ts';

/** The numbers of records and secrets by the master key that encrypted them; null counts those of an unknown format. */
type SealedCounts = ReadonlyMap<string | null, number>;

export const countSealed = async ({ accounts, files }: Product): Promise<SealedCounts> => {
  const counts = new Map(await files.operate.countByKey());
  for (const [key, count] of await accounts.operate.countSealed()) {
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
};

/** Counts the values that other master keys than this one encrypted. */
const countUnderOtherKeys = (sealed: SealedCounts, id: string): number => {
  let count = 0;
  for (const [key, number] of sealed) if (key !== null && key !== id) count += number;
  return count;
};

/** Re-encrypts everything that an older key encrypted. Returns the counts. */
const resealAll = async ({ accounts, files }: Product, progress: Progress): Promise<ResealResult> => {
  // The total is unknown: it would take a count of all records.
  const show = (count: number) => progress.show(null, `${count} re-encrypted`);
  try {
    const secrets = await accounts.operate.resealSecrets(({ resealed }) => show(resealed));
    const records = await files.operate.reseal(({ resealed }) => show(secrets.resealed + resealed));
    return {
      resealed: secrets.resealed + records.resealed,
      failed: secrets.failed + records.failed,
    };
  } finally {
    progress.clear();
  }
};

/**
 * Rotates the master key and re-encrypts everything that an older key encrypted. If values are still under an older key before
 * the rotation, it only re-encrypts those values and adds no key: an earlier rotation was interrupted, or a caller wrapped a
 * data key before that rotation and stored it afterwards.
 */
export const rotateMaster = async (
  { withChanges, by }: CommandContext,
  options: ActingOptions,
): Promise<void> => {
  const progress = makeProgress();
  const outcome = await withChanges(async (product) => {
    const { accounts, files } = product;
    const current = await files.operate.masterKey();
    const rotate = async (recordStart: () => Promise<void>) => {
      await recordStart();
      const keyId = await product.rotateMasterKey();
      return { answer: keyId, after: { kind: 'master' }, made: `key:${keyId}` };
    };
    const rotation = { name: 'keys.rotate', done: 'keys.rotated', target: 'keys:master', run: rotate };
    let { resealed, failed } = await resealAll(product, progress);
    const resumed = resealed > 0;
    const id = resumed ? current : await accounts.operate.recordWork(rotation, by(options));
    if (!resumed) ({ resealed, failed } = await resealAll(product, progress));
    const sealed = await countSealed(product);
    const left = countUnderOtherKeys(sealed, id);
    return {
      failed,
      answer: { kind: 'master', id, resumed, resealed, left, notOurs: sealed.get(null) ?? 0 },
    };
  });
  const { failed, answer } = outcome;
  const { id, resumed, resealed, left, notOurs } = answer;
  if (resumed) {
    say('Some values were still under an older key: they are re-encrypted now, without a new key.');
    say('To rotate the key, run the command again.');
  }
  if (notOurs > 0) say(`${notOurs} records hold wrapped keys of an unknown format; they stay unchanged.`);
  makeOutput(options.json).done(
    `The master key ${id} is current; ${resealed} values re-encrypted, ${left} left.`,
    answer,
  );
  if (left > 0) {
    say(
      failed > 0
        ? 'The values that are left cannot be decrypted with any available key; each is listed above.'
        : 'The values that are left were stored meanwhile, under an older key: run the command again.',
    );
    process.exitCode = exitCodes.failed;
  }
};

/** Retires an old master key. Refused while any record or secret needs it, and without `yes`. */
export const retireMaster = async (
  context: CommandContext,
  id: string,
  { yes = false, json, ...operator }: ActingOptions & { readonly yes?: boolean },
): Promise<void> => {
  const work = { name: 'keys.retire', done: 'keys.retired', target: `key:${id}` };
  await changeAndRecord(context, operator, work, async (product, recordStart) => {
    const count = (await countSealed(product)).get(id) ?? 0;
    if (count > 0) {
      throw new Error(
        `${count} values are still encrypted with this key: run keys rotate --kind master first.`,
      );
    }
    if (!yes) {
      say(
        'Wrapped keys that callers store cannot be counted; those of this key could no longer be unwrapped.',
      );
      throw new Error('Nothing was retired: repeat the command with --yes to retire the key anyway.');
    }
    await recordStart();
    await context.keys.retireMaster(id);
    // A cached entry may still hold a data key that this key wrapped.
    return { answer: await product.files.operate.outdateCache(), after: { kind: 'master' } };
  });
  makeOutput(json).done(`Retired the master key ${id}; it stays in the ring for 30 days, unused.`, {
    kind: 'master',
    id,
  });
};
