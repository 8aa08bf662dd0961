import { type Command, InvalidArgumentError } from 'commander';
import { acceptPerson } from '../../core/accounts/operate/act.ts';
import { readTime } from '../../core/times.ts';
import type { Acting } from '../desk.ts';

/** Options of every verb. */
export interface Common {
  readonly json?: boolean;
}

/** Options of every verb that changes something. */
export interface ActingOptions extends Common, Acting {}

/** Adds a verb to a noun, with the options of every verb. */
export const verb = (noun: Command, nameAndArguments: string, description: string): Command =>
  noun.command(nameAndArguments).description(description).option('--json', 'JSON in place of a table');

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
    'who acts, in place of the login name; audited',
    personOption,
  );

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
