import { failureWord, isOutage, sqlStateOf } from './failures.ts';

// Wrong password or method, no such role, no such database, no right to connect.
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user or the password',
  '28000': 'the server refuses the user or the password, or asks for TLS',
  '3D000': 'the server has no database with this name',
  '42501': 'the user may not use this database',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * Explains why no connection can be made, without any part of the URL. `isSetting`: the setting is wrong; otherwise the
 * server may come back.
 */
export const whyNoConnection = (error: unknown): { readonly word: string; readonly isSetting: boolean } => {
  const refusal = REFUSALS[sqlStateOf(error) ?? ''];
  if (refusal !== undefined) return { word: refusal, isSetting: true };
  const code = codeOf(error);
  const isTls = error instanceof Error && /SSL|certificate|self.signed/i.test(error.message);
  // Of a file that the URL names; that of a socket has the call `connect`.
  const isFileMissing = error instanceof Error && 'syscall' in error && error.syscall === 'open';
  if (isTls || isFileMissing || /CERT|SSL|TLS|SELF_SIGNED/.test(code))
    return {
      word: `no TLS connection can be made (${code || 'the server does not offer it'})`,
      isSetting: true,
    };
  if (error instanceof TypeError || !isOutage(error))
    return { word: 'is not an address that the driver understands', isSetting: true };
  return { word: `no server that takes writes answers there (${failureWord(error)})`, isSetting: false };
};
