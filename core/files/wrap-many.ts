import { CoreError } from '../errors.ts';
import type { DataKeys } from './data-key.ts';
import { invalidDek, invalidEncDek, invalidFile } from './errors.ts';
import type { FilesPolicy } from './policy.ts';

/** What stands in place of a result that could not be had. */
export interface Failed {
  readonly error: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (item: unknown): Fields =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as Fields) : {};

/** Throws `refusal` for what is not a text. */
const textOf = (value: unknown, refusal: CoreError): string => {
  if (typeof value === 'string') return value;
  throw refusal;
};

const contextOf = ({ context }: Fields): { readonly context?: string } =>
  context === undefined ? {} : { context: textOf(context, invalidFile("'context' must be a string.")) };

/** Wraps or unwraps many keys. Each item has its own answer, in order, so one bad item does not fail the others. */
export const makeWrapMany = (dataKeys: DataKeys, { batchLongest }: FilesPolicy) => {
  const each = async <T>(
    items: readonly unknown[],
    work: (fields: Fields) => Promise<T>,
  ): Promise<{ readonly items: readonly (T | Failed)[] }> => {
    if (items.length === 0 || items.length > batchLongest) {
      throw invalidFile(`'items' must have 1 to ${batchLongest} members.`);
    }
    const one = async (item: unknown): Promise<T | Failed> => {
      try {
        return await work(fieldsOf(item));
      } catch (error) {
        if (error instanceof CoreError && error.kind === 'invalid') return { error: error.code };
        throw error;
      }
    };
    return { items: await Promise.all(items.map(one)) };
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
