import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ephemeral ports (from 32768 on): another connection could take one of these before the test uses it.
const FIRST = 20_000;
/** Each process has a range of its own, because a server may take seconds until it listens on its port. */
const PORTS_PER_RANGE = 40;
const RANGES = 317;

let range: Promise<number> | undefined;
let portCount = 0;

const listenOn = async (port: number): Promise<Server | undefined> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
};

/** Claims a range: this process listens on its first port until it ends, so that other processes take another range. */
const claimRange = async (): Promise<number> => {
  for (let attempt = 0; attempt < RANGES; attempt += 1) {
    const first = FIRST + ((process.pid + attempt) % RANGES) * PORTS_PER_RANGE;
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

/** A port on which no process listens at the moment. */
export const freePort = async (): Promise<number> => {
  range ??= claimRange();
  const first = await range;
  for (let attempt = 1; attempt < PORTS_PER_RANGE; attempt += 1) {
    const port = first + 1 + (portCount % (PORTS_PER_RANGE - 1));
    portCount += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};
