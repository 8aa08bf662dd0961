import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ports that the system gives to connections and to listeners that name none (from 32768 on), which come and go
// between the choice of a port and its use.
const FIRST = 20_000;
/** Ports of one range. Each process has a range of its own, since the server that gets a port may take seconds to start. */
const OF_A_RANGE = 40;
const RANGES = 317;

let range: Promise<number> | undefined;
let chosen = 0;

const listenOn = async (port: number): Promise<Server | undefined> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
};

/** The first port of a range, on which this process listens until it ends: whoever meets it there takes another range. */
const claimRange = async (): Promise<number> => {
  for (let tried = 0; tried < RANGES; tried += 1) {
    const first = FIRST + ((process.pid + tried) % RANGES) * OF_A_RANGE;
    const guard = await listenOn(first);
    if (guard === undefined) continue;
    guard.unref();
    return first;
  }
  throw new Error('There is no free range of ports.');
};

const isFree = async (port: number): Promise<boolean> => {
  const server = await listenOn(port);
  if (server === undefined) return false;
  server.close();
  await once(server, 'close');
  return true;
};

/** A port that nobody listens on just now. */
export const freePort = async (): Promise<number> => {
  range ??= claimRange();
  const first = await range;
  for (let tried = 1; tried < OF_A_RANGE; tried += 1) {
    const port = first + 1 + (chosen % (OF_A_RANGE - 1));
    chosen += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};
