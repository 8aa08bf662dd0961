import type { ErrorCode } from '../error-codes.ts';
import { CoreError } from '../errors.ts';
import { type Fields, isFields } from '../import-lines.ts';
import { anything, list, object, type Schema, type TypeOf, text, union } from '../schema.ts';
import { type DataKeys, dataKey, wrappedKey } from './data-key.ts';
import { invalidDek, invalidEncDek, invalidFile } from './errors.ts';
import type { FilesPolicy } from './policy.ts';

const failedItem = (code: ErrorCode) =>
  object({ error: text({ description: '`invalid_request` for a wrong `context`', examples: [code] }) });
export type FailedItem = TypeOf<ReturnType<typeof failedItem>>;

/** Each item is checked by itself, so that a wrong one does not fail the others. */
export const keysInput = object({
  items: {
    ...list(anything({ description: 'What the call for a single key takes as its body' })),
    minItems: 1,
    maxItems: 100,
  },
});

const resultsOf = <T>(item: Schema<T>, code: ErrorCode) =>
  object({ items: list(union([item, failedItem(code)])) });
export const wrappedKeys = resultsOf(wrappedKey, 'invalid_dek');
export const unwrappedKeys = resultsOf(dataKey, 'invalid_enc_dek');

const contextOf = (context: unknown): { readonly context?: string } => {
  if (context === undefined) return {};
  if (typeof context === 'string') return { context };
  throw invalidFile("'context' must be a string.");
};

/** Wraps or unwraps many keys. The results are in the order of the items. */
export const makeDataKeyBatches = (dataKeys: DataKeys, { batchLongest }: FilesPolicy) => {
  const runEach = async <T>(
    items: readonly unknown[],
    work: (fields: Fields) => Promise<T>,
  ): Promise<{ readonly items: readonly (T | FailedItem)[] }> => {
    if (items.length === 0 || items.length > batchLongest) {
      throw invalidFile(`'items' must have 1 to ${batchLongest} members.`);
    }
    const runItem = async (item: unknown): Promise<T | FailedItem> => {
      try {
        // An item that is not an object is refused like an empty object.
        return await work(isFields(item) ? item : {});
      } catch (error) {
        if (error instanceof CoreError && error.kind === 'invalid') return { error: error.code };
        throw error;
      }
    };
    return { items: await Promise.all(items.map(runItem)) };
  };

  return {
    wrap: (items: readonly unknown[]) =>
      runEach(items, async ({ dek, context }) => {
        if (typeof dek !== 'string') throw invalidDek();
        return dataKeys.wrap({ dek, ...contextOf(context) });
      }),
    unwrap: (items: readonly unknown[]) =>
      runEach(items, async ({ dekEnc, context }) => {
        if (typeof dekEnc !== 'string') throw invalidEncDek();
        return dataKeys.unwrap({ dekEnc, ...contextOf(context) });
      }),
  };
};
