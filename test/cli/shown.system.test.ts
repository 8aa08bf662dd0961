import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { easySettings, openTestService } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { receiveWebhooks } from '../support/webhook-receiver.ts';
import { blocksOf, makeShell } from './shown-lines.ts';

const linesOf = (document: string): readonly string[] => blocksOf(document).flat();

/**
 * Lines that other suites run: they need another server or a passkey of a device, or run until they are ended. Lines of
 * `jq` have a test of their own.
 */
const isSkipped = (line: string) =>
  /^(?:MONGODB_URL=|METRICS_PORT=|curl |redis-cli |jq )|users remove-passkey/.test(line);

const USER = {
  email: 'ada@example.com',
  emailVerified: true,
  oauthAccounts: [{ provider: 'github', providerAccountId: '1' }],
};
const FILE = {
  filenameEnc: 'bm90ZXM=',
  size: 12,
  user: 'ada',
  mimeType: 'text/plain',
  dekEnc: 'AAAA',
  thumb: false,
};
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'receiver').toString('base64')}`;
const DOC_KEY_ID = '5Vx0l2nW1bqjUQ1k8bXo0mS3yq2Q9w7c4nZr6tYpLkE';

describe('The documented commands', function () {
  this.timeout(600_000);
  const folder = useTempFolder();
  const at = (...path: readonly string[]) => join(folder(), ...path);

  let shell: ReturnType<typeof makeShell>;
  const run = (lines: readonly string[], env: Readonly<Record<string, string>> = easySettings) =>
    shell.run(lines, { env, input: `${USER.email}\n` });

  beforeEach(async () => {
    mkdirSync(at('etc'));
    shell = makeShell(folder());
    shell.program('systemctl', '');
    writeFileSync(at('users.jsonl'), `${JSON.stringify(USER)}\n`);
    writeFileSync(at('files.jsonl'), `${JSON.stringify(FILE)}\n`);
    await (await openTestService({}, at('data'))).close();
  });

  /** Imports a user and adds an old signing key, whose id replaces that of the document in the lines. */
  const seed = async (lines: readonly string[]): Promise<readonly string[]> => {
    const printed = await run([
      'npx --no gatehouse users import users.jsonl >&2',
      'npx --no gatehouse keys rotate --kind signing --now >&2',
      'npx --no gatehouse keys status --json',
    ]);
    const [, id = ''] = /"kind":"signing","id":"([\w-]+)","state":"old"/.exec(printed) ?? [];
    expect(id).not.to.equal('');
    return lines.map((line) => line.replace(DOC_KEY_ID, id).replace('/etc/gatehouse/', `${at('etc')}/`));
  };

  it('of commands.md succeed one after the other', async () => {
    const lines = linesOf('commands.md').filter((line) => !isSkipped(line));
    const isDeletion = (line: string) => line.includes('users delete');
    expect(lines).to.have.length.greaterThan(35);
    const receiver = await receiveWebhooks();
    const url = receiver.url.replace(/\?.*/, '');
    const seeded = await seed([...lines.filter((line) => !isDeletion(line)), ...lines.filter(isDeletion)]);
    const settings = { WEBHOOK_URLS: `${url} ${WEBHOOK_SECRET}`, WEBHOOK_ALLOW_PRIVATE: 'on' };
    try {
      await run(
        seeded.map((line) => line.replace('https://app.example.com/hooks', url)),
        { ...easySettings, ...settings },
      );
    } finally {
      receiver.close();
    }
    expect(receiver.seen.map(({ body }) => JSON.parse(body).type)).to.include('webhook.test');
  });

  it('of operating.md succeed one after the other', async () => {
    // Lines of both documents run once, except audit verify, which runs here on a log with other rows.
    const alreadyRun = linesOf('commands.md').filter((line) => !line.endsWith('audit verify'));
    const lines = linesOf('operating.md').filter((line) => !isSkipped(line) && !alreadyRun.includes(line));
    expect(lines).to.have.length.greaterThan(10);
    const printed = await run([
      'npx --no gatehouse store backup gatehouse-backup.tar >&2',
      "HEAD=$(npx --no gatehouse audit verify | sed -n 's/^head *//p')",
      ...(await seed(lines)),
    ]);
    expect(printed).to.match(/intact +true/);
    expect(readFileSync(at('etc/internal-secret'), 'utf8').trim()).to.have.length(64);
  });

  it('with jq find the lines of a log and of an import', async function () {
    if (spawnSync('jq', ['--version']).error !== undefined) return this.skip();
    const lines = ['commands.md', 'operating.md'].flatMap(linesOf).filter((line) => line.startsWith('jq '));
    expect(lines).to.have.length.greaterThan(5);
    const [request = ''] = lines.flatMap((line) => /requestId == "([^"]+)"/.exec(line)?.[1] ?? []);
    const events = lines.flatMap((line) => {
      const [, event, beginning = ''] = /event == "([^"]+)"|startswith\("([^"]+)"/.exec(line) ?? [];
      return event ?? `${beginning}failed`;
    });
    const logLines = events.map((event) =>
      JSON.stringify({ event, level: 50, requestId: request, status: 500 }),
    );
    writeFileSync(at('gatehouse.log'), logLines.join('\n'));
    writeFileSync(at('users.jsonl'), `${JSON.stringify(USER)}\n`.repeat(2));
    for (const line of lines) expect(await run([line]), line).not.to.equal('');
  });

  it('of settings.md are valid settings for production, with the files of a first start', async () => {
    const lines = linesOf('settings.md').map((line) => line.replace('/etc/gatehouse/', `${at('etc')}/`));
    writeFileSync(at('.env'), lines.join('\n'));
    for (const name of ['internal-secret', 'keys/hash-key', 'keys/signing.json', 'keys/master.json']) {
      copyFileSync(at('data', name), at('etc', name.replace('keys/', '')));
    }
    writeFileSync(at('etc/smtp-url'), 'smtps://user:word@mail.example.com\n');
    expect(await run(['npx --no gatehouse config check'], {})).to.match(/^NODE_ENV +production$/m);
  });
});
