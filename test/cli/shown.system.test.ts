import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { easySettings, openTestService } from '../support/service.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { receiveWebhooks } from '../support/webhook-receiver.ts';
import { blocksOf, shownIn } from './shown-lines.ts';

const linesOf = (document: string): readonly string[] => blocksOf(document).flat();

/**
 * What others run: it wants another server, a passkey that a device made, or goes on until it is ended. Lines of `jq` have a
 * test of their own.
 */
const isElsewhere = (line: string) =>
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
const KEY_SHOWN = '5Vx0l2nW1bqjUQ1k8bXo0mS3yq2Q9w7c4nZr6tYpLkE';

describe('The lines of the documents', function () {
  this.timeout(600_000);
  const folder = useTempFolder();
  const at = (...path: readonly string[]) => join(folder(), ...path);

  let shell: ReturnType<typeof shownIn>;
  const run = (lines: readonly string[], env: Readonly<Record<string, string>> = easySettings) =>
    shell.run(lines, { env, input: `${USER.email}\n` });

  beforeEach(async () => {
    mkdirSync(at('etc'));
    shell = shownIn(folder());
    shell.program('systemctl', '');
    writeFileSync(at('users.jsonl'), `${JSON.stringify(USER)}\n`);
    writeFileSync(at('files.jsonl'), `${JSON.stringify(FILE)}\n`);
    await (await openTestService({}, at('data'))).close();
  });

  /** A user, and a signing key that can be retired. */
  const seed = async (lines: readonly string[]): Promise<readonly string[]> => {
    const printed = await run([
      'npx --no gatehouse users import users.jsonl >&2',
      'npx --no gatehouse keys rotate --kind signing --now >&2',
      'npx --no gatehouse keys status --json',
    ]);
    const [, id = ''] = /"kind":"signing","id":"([\w-]+)","state":"old"/.exec(printed) ?? [];
    expect(id).not.to.equal('');
    return lines.map((line) => line.replace(KEY_SHOWN, id).replace('/etc/gatehouse/', `${at('etc')}/`));
  };

  it('run one after the other where they show the commands', async () => {
    const lines = linesOf('commands.md').filter((line) => !isElsewhere(line));
    const last = (line: string) => line.includes('users delete');
    expect(lines).to.have.length.greaterThan(35);
    const receiver = await receiveWebhooks();
    const url = receiver.url.replace(/\?.*/, '');
    const seeded = await seed([...lines.filter((line) => !last(line)), ...lines.filter(last)]);
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

  it('run one after the other where they are about operating', async () => {
    // What stands in both is run once, but for the proof that the log is whole: here it is so in other states as well.
    const alreadyRun = linesOf('commands.md').filter((line) => !line.endsWith('audit verify'));
    const lines = linesOf('operating.md').filter((line) => !isElsewhere(line) && !alreadyRun.includes(line));
    expect(lines).to.have.length.greaterThan(10);
    const printed = await run([
      'npx --no gatehouse store backup gatehouse-backup.tar >&2',
      "HEAD=$(npx --no gatehouse audit verify | sed -n 's/^head *//p')",
      ...(await seed(lines)),
    ]);
    expect(printed).to.match(/intact +true/);
    expect(readFileSync(at('etc/internal-secret'), 'utf8').trim()).to.have.length(64);
  });

  it('find in a log and in an import what they are to find', async function () {
    if (spawnSync('jq', ['--version']).error !== undefined) return this.skip();
    const lines = ['commands.md', 'operating.md'].flatMap(linesOf).filter((line) => line.startsWith('jq '));
    expect(lines).to.have.length.greaterThan(5);
    const [request = ''] = lines.flatMap((line) => /requestId == "([^"]+)"/.exec(line)?.[1] ?? []);
    const events = lines.flatMap((line) => {
      const [, event, beginning = ''] = /event == "([^"]+)"|startswith\("([^"]+)"/.exec(line) ?? [];
      return event ?? `${beginning}failed`;
    });
    const logged = events.map((event) =>
      JSON.stringify({ event, level: 50, requestId: request, status: 500 }),
    );
    writeFileSync(at('gatehouse.log'), logged.join('\n'));
    writeFileSync(at('users.jsonl'), `${JSON.stringify(USER)}\n`.repeat(2));
    for (const line of lines) expect(await run([line]), line).not.to.equal('');
  });

  it('are settings that hold in production, with the files of a first start', async () => {
    const lines = linesOf('settings.md').map((line) => line.replace('/etc/gatehouse/', `${at('etc')}/`));
    writeFileSync(at('.env'), lines.join('\n'));
    for (const name of ['internal-secret', 'keys/hash-key', 'keys/signing.json', 'keys/master.json']) {
      copyFileSync(at('data', name), at('etc', name.replace('keys/', '')));
    }
    writeFileSync(at('etc/smtp-url'), 'smtps://user:word@mail.example.com\n');
    expect(await run(['npx --no gatehouse config check'], {})).to.match(/^NODE_ENV +production$/m);
  });
});
