import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { programPath } from '../../runner/outside-programs.ts';
import { root } from '../../tree/root.ts';
import { until } from '../../until.ts';

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/moto-api/`)).ok;
  } catch {
    return false;
  }
};

/** Starts moto's server, or uses the running server that `GATEHOUSE_TEST_MOTO_URL` names. */
export const startMoto = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const runningUrl = process.env.GATEHOUSE_TEST_MOTO_URL;
  if (runningUrl) return { url: runningUrl, close: async () => undefined };
  const port = await freePort();
  // The Python that moto is installed in.
  const python = join(dirname(realpathSync(programPath('moto'))), 'python3');
  const program = join(root, 'test/support/servers/aws/serial-moto.py');
  const child = spawn(python, [program, '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await until(() => answers(url));
  return {
    url,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
