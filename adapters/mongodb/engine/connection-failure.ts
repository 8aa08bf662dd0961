import { MongoAPIError, MongoParseError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import type { NoConnection } from '../../store.ts';
import { failureWord } from './failures.ts';

const WRONG_USER = 18;
const NO_USER = 13;

/** The user lacks the permission for an operation. An open connection has read already, so that this concerns writes. */
export const isRefused = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === NO_USER;

const causeOf = (error: unknown): unknown => {
  if (error instanceof MongoServerSelectionError) {
    const [server] = [...(error.reason?.servers?.values() ?? [])];
    return server?.error?.cause ?? server?.error ?? error;
  }
  return error;
};

/** The driver removes servers of another replica set from its list, but keeps servers that do not answer. */
const isOfAnotherSet = (error: unknown): boolean =>
  error instanceof MongoServerSelectionError &&
  error.reason?.setName != null &&
  error.reason.servers.size === 0;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** Explains why no connection can be made, without any part of the URL. */
export const whyNoConnection = (error: unknown): NoConnection => {
  if (error instanceof MongoServerError && error.code === WRONG_USER)
    return { word: 'the server refuses the user or the password', isSetting: true };
  if (error instanceof MongoServerError && error.code === NO_USER)
    return {
      word: 'the server asks for a user and a password, or the user may not use this database',
      isSetting: true,
    };
  if (error instanceof MongoParseError || error instanceof TypeError)
    return { word: 'is not an address that the driver understands', isSetting: true };
  if (error instanceof MongoAPIError)
    return { word: 'has options that fit neither each other nor this server', isSetting: true };
  if (isOfAnotherSet(error))
    return { word: 'the servers there do not belong to the replica set that it names', isSetting: true };
  const cause = causeOf(error);
  const code = codeOf(cause);
  if (code !== undefined && /CERT|SSL|TLS|SELF_SIGNED|ENOENT/.test(code))
    return { word: `no TLS connection can be made (${code})`, isSetting: true };
  return { word: `no server answers there (${code ?? failureWord(cause)})`, isSetting: false };
};
