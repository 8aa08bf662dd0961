import { userInfo } from 'node:os';

/** The longest name in the audit log. */
const MOST_CHARACTERS = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed from the name
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const systemUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // In a container the user id may have no name.
    return '';
  }
};

/** The name that the audit log records for a command: the user who called sudo, else the system user. */
export const operatorName = (): string => {
  const name = (process.env.SUDO_USER || systemUser()).replace(CONTROL, '').trim().slice(0, MOST_CHARACTERS);
  return name === '' ? `uid ${process.getuid?.() ?? 'unknown'}` : name;
};
