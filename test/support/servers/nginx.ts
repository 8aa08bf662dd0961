import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../runner/outside-programs.ts';
import { root } from '../tree/root.ts';
import { until } from '../until.ts';

/** The main configuration around the sample, with all files in a folder of the test. */
const mainConfig = (folder: string) => `
daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
}
`;

/** Lines of the sample and their replacements, such as a shorter time-out. */
export type Shorter = Readonly<Record<string, string>>;

/** The sample of the documents with the ports of a test, and without TLS. */
const sample = (port: number, upstream: readonly [number, number], shorter: Shorter): string => {
  const replacements = [
    ...Object.entries(shorter),
    ['127.0.0.1:3000', `127.0.0.1:${upstream[0]}`],
    ['127.0.0.1:3010', `127.0.0.1:${upstream[1]}`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    ['    ssl_certificate /etc/ssl/accounts.example.com.pem;\n', ''],
    ['    ssl_certificate_key /etc/ssl/accounts.example.com.key;\n', ''],
  ] as const;
  let text = readFileSync(join(root, 'docs/nginx.conf'), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`docs/nginx.conf has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
};

export interface Nginx {
  readonly url: string;
  /** The error log. */
  log(): string;
  end(): Promise<void>;
}

/** Starts nginx with `docs/nginx.conf`, in front of two account services on this machine. */
export const startNginx = async (
  folder: string,
  port: number,
  upstream: readonly [number, number],
  shorter: Shorter = {},
): Promise<Nginx> => {
  writeFileSync(join(folder, 'site.conf'), sample(port, upstream, shorter));
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder));
  const child = spawn(
    programPath('nginx'),
    ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log')],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/health`).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    log: () => readFileSync(join(folder, 'nginx.log'), 'utf8'),
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
