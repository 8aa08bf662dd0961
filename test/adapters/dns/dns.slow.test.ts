import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { makeDns } from '../../../adapters/dns/dns.ts';
import { CoreError } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { CODES, cname, openDnsServer, txt, type Zone } from './dns-server.ts';

const NAME = '_drop-verification.acme.dev';
const LONG = 'x'.repeat(255);

const zone: Zone = {
  [NAME]: { records: [txt('token')] },
  'split.dev': { records: [txt('one ', 'and ', 'the same')] },
  'many.dev': { records: [txt('v=spf1 -all'), txt('token'), txt('')] },
  'long.dev': { records: [txt(LONG, 'y')] },
  'alias.dev': { records: [cname('elsewhere.dev'), txt('behind an alias')] },
  'empty.dev': { records: [] },
  'failing.dev': { code: CODES.failure },
  'refusing.dev': { code: CODES.refused },
  'silent.dev': 'silence',
  'garbage.dev': 'garbage',
};

describe('The DNS', () => {
  let server: Awaited<ReturnType<typeof openDnsServer>>;
  before(async () => {
    server = await openDnsServer(zone);
  });
  after(() => server.close());
  const ask = (name: string, deadline?: number) =>
    makeDns({ servers: [server.address], ...(deadline !== undefined && { deadline }) }).txt(name);
  const expectNoAnswer = async (call: () => Promise<unknown>) => {
    const error = await rejectionOf(call);
    expect(error).to.be.instanceOf(CoreError);
    expect(error).to.include({ kind: 'unavailable', code: 'dns_unavailable' });
  };

  it('gives the texts of all TXT records, the strings of each joined', async () => {
    expect(await ask(NAME)).to.deep.equal(['token']);
    expect(await ask('split.dev')).to.deep.equal(['one and the same']);
    expect(await ask('many.dev')).to.have.members(['v=spf1 -all', 'token', '']);
    expect(await ask('long.dev')).to.deep.equal([`${LONG}y`]);
  });

  it('asks for the very name, with nothing added', async () => {
    const before = server.asked.length;
    await ask(NAME);
    await ask('gone.dev');
    // A query whose answer is late is sent once more.
    expect([...new Set(server.asked.slice(before))]).to.deep.equal([NAME, 'gone.dev']);
  });

  it('follows an alias', async () => {
    expect(await ask('alias.dev')).to.deep.equal(['behind an alias']);
  });

  it('gives none where there is no such name, or no such record', async () => {
    expect(await ask('gone.dev')).to.deep.equal([]);
    expect(await ask('empty.dev')).to.deep.equal([]);
  });

  it('is unavailable when the server fails, refuses or says what nobody understands', async () => {
    for (const name of ['failing.dev', 'refusing.dev', 'garbage.dev']) await expectNoAnswer(() => ask(name));
  });

  it('is unavailable when nobody listens', async () => {
    const secondServer = await openDnsServer({});
    const { address } = secondServer;
    await secondServer.close();
    await expectNoAnswer(() => makeDns({ servers: [address] }).txt(NAME));
  });

  it('is unavailable when the deadline has passed', async () => {
    const start = performance.now();
    await expectNoAnswer(() => ask('silent.dev', 200));
    expect(performance.now() - start).to.be.within(190, 2_500);
  });

  it('takes 3 seconds at the most, and holds up nothing however many wait', async () => {
    const start = performance.now();
    const waiting = Array.from({ length: 50 }, () => expectNoAnswer(() => ask('silent.dev')));
    expect(await ask(NAME)).to.deep.equal(['token']);
    await readFile(new URL(import.meta.url));
    expect(performance.now() - start, 'answers and files beside them').to.be.below(2_500);
    await Promise.all(waiting);
    expect(performance.now() - start, 'all of them').to.be.within(2_500, 20_000);
  });
});
