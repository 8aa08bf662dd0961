import { once } from 'node:events';
import type { Server } from 'node:http';

/** Thrown if the server cannot listen on its address. `setting` is the setting to change. */
export class CannotListen extends Error {
  readonly setting: string;
  readonly code: string;

  constructor(setting: string, code: string, message: string) {
    super(message);
    this.name = 'CannotListen';
    this.setting = setting;
    this.code = code;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not listen on the port',
};

/** The number of connections that may wait to be accepted. Further clients retry after seconds. Node.js allows 511 by default. */
const BACKLOG = 2_048;

/** Under Jest errors of Node.js belong to another realm, where `instanceof Error` is false. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof Object(error).code === 'string';

/** Listens, or throws `CannotListen` naming `hostSetting` or `portSetting`. */
export const bindPort = async (
  server: Server,
  host: string,
  port: number,
  portSetting: string,
  hostSetting = 'HOST',
): Promise<void> => {
  server.listen(port, host, BACKLOG);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const { code = '' } = error;
    const reason = REASONS[code];
    if (reason !== undefined) throw new CannotListen(portSetting, code, `${portSetting}: ${reason}`);
    throw new CannotListen(hostSetting, code, `${hostSetting}: not an address of this machine`);
  }
};
