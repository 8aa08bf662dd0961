import { CoreError } from '../errors.ts';
import { anything, list, object, type Schema, type TypeOf, text, union } from '../schema.ts';
import { type DataKeys, dataKey, wrappedKey } from './data-key.ts';
import { invalidDek, invalidEncDek, invalidFile } from './errors.ts';
import type { FilesPolicy } from './policy.ts';

/** The result of an item that failed. */
const failedItem = (code: string) =>
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

const resultsOf = <T>(item: Schema<T>, code: string) =>
  object({ items: list(union([item, failedItem(code)])) });
export const wrappedKeys = resultsOf(wrappedKey, 'invalid_dek');
export const unwrappedKeys = resultsOf(dataKey, 'invalid_enc_dek');

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (item: unknown): Fields =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as Fields) : {};

/** Throws `refusal` unless the value is a text. */
const textOf = (value: unknown, refusal: CoreError): string => {
  if (typeof value === 'string') return value;
  throw refusal;
};

const contextOf = ({ context }: Fields): { readonly context?: string } =>
  context === undefined ? {} : { context: textOf(context, invalidFile("'context' must be a string.")) };

/** Wraps or unwraps many keys. Each item has its own result, in order, so a bad item does not fail the others. */
export const makeDataKeyBatches = (dataKeys: DataKeys, { batchLongest }: FilesPolicy) => {
  const each = async <T>(
    items: readonly unknown[],
    work: (fields: Fields) => Promise<T>,
  ): Promise<{ readonly items: readonly (T | FailedItem)[] }> => {
    if (items.length === 0 || items.length > batchLongest) {
      throw invalidFile(`'items' must have 1 to ${batchLongest} members.`);
    }
    const runItem = async (item: unknown): Promise<T | FailedItem> => {
      try {
        return await work(fieldsOf(item));
      } catch (error) {
        if (error instanceof CoreError && error.kind === 'invalid') return { error: error.code };
        throw error;
      }
    };
    return { items: await Promise.all(items.map(runItem)) };
  };

  return {
    /** Throws `invalid` (`invalid_request`) for no items or too many. */
    wrap: (items: readonly unknown[]) =>
      each(items, async (fields) =>
        dataKeys.wrap({ dek: textOf(fields.dek, invalidDek()), ...contextOf(fields) }),
      ),
    unwrap: (items: readonly unknown[]) =>
      each(items, async (fields) =>
        dataKeys.unwrap({ dekEnc: textOf(fields.dekEnc, invalidEncDek()), ...contextOf(fields) }),
      ),
  };
};
