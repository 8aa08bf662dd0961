import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system gives to connections and to listeners that name none (from 32768 on), which come and go
// between the choice of a port and its use.
const FIRST = 20_000;
/** Ports of one process, so that two processes choose the same one seldom. */
const OF_A_PROCESS = 40;
const PROCESSES = 317;

let chosen = 0;

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
};

/** A port that nobody listens on just now. */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < OF_A_PROCESS; tried += 1) {
    const port = FIRST + (process.pid % PROCESSES) * OF_A_PROCESS + (chosen % OF_A_PROCESS);
    chosen += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};
