import { type Command, InvalidArgumentError, Option } from 'commander';
import { acceptPerson } from '../../core/accounts/admin/admin-action.ts';
import { readTime } from '../../core/iso-times.ts';
import type { OperatorOptions } from '../context.ts';

/** Options of every verb. */
export interface CommonOptions {
  readonly json?: boolean;
}

/** Options of every verb that changes something. */
export interface ActingOptions extends CommonOptions, OperatorOptions {}

/** Adds a verb to a noun, with the options of every verb. */
export const verb = (noun: Command, nameAndArguments: string, description: string): Command =>
  noun.command(nameAndArguments).description(description).option('--json', 'JSON instead of a table');

/** A name for the audit log. */
const personOption = (text: string): string => {
  try {
    return acceptPerson(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : '');
  }
};

/** Adds a verb that changes something, with the options that say who acts. */
export const actingVerb = (noun: Command, nameAndArguments: string, description: string): Command =>
  verb(noun, nameAndArguments, description).option(
    '--as <name>',
    'the person’s name for the audit log, instead of the login name',
    personOption,
  );

const makeReason = () => new Option('--reason <reason>', 'why; audited');
export const REASON = makeReason();
export const REQUIRED_REASON = makeReason().makeOptionMandatory();

/** Epoch milliseconds of an ISO 8601 time. */
export const timeOption = (text: string): number => {
  const time = readTime(text);
  if (time === undefined) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z.',
    );
  }
  return time;
};

const wholeFrom =
  (least: number) =>
  (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };

export const countOption = wholeFrom(1);

/** A limit, or the word that removes it. Not null: commander turns a parsed null into an empty text. */
export type Limit = number | 'none';

export const limitOption = (text: string): Limit => (text === 'none' ? text : wholeFrom(0)(text));

const PREFIXES = 'kmgtp';

/** Parses bytes: a number, alone or with a unit of 1000 (`1TB`) or 1024 (`500GiB`). Undefined for anything else. */
const bytesOf = (text: string): number | undefined => {
  const [, integer = '', fraction = '', prefix = '', binary] =
    /^(\d{1,16})(?:\.(\d{1,3}))?\s?(?:([kmgtp])(i)?)?b?$/i.exec(text) ?? [];
  if (integer === '') return undefined;
  const power = prefix === '' ? 0 : PREFIXES.indexOf(prefix.toLowerCase()) + 1;
  const unit = (binary === undefined ? 1_000n : 1_024n) ** BigInt(power);
  // In thousandths, so that 1.5TB is exact.
  const thousandths = BigInt(integer + fraction.padEnd(3, '0')) * unit;
  const bytes = Number(thousandths / 1_000n);
  return thousandths % 1_000n === 0n && Number.isSafeInteger(bytes) ? bytes : undefined;
};

/** A limit in bytes, with or without a unit, or `none` to remove it. */
export const bytesOption = (text: string): Limit => {
  if (text === 'none') return text;
  const bytes = bytesOf(text.trim());
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError('It must be a number of bytes such as 1099511627776, 1TB or 500GiB.');
};
