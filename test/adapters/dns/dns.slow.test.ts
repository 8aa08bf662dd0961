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

describe('The DNS resolver', () => {
  let server: Awaited<ReturnType<typeof openDnsServer>>;
  before(async () => {
    server = await openDnsServer(zone);
  });
  after(() => server.close());
  const lookUp = (name: string, deadline?: number) =>
    makeDns({ servers: [server.address], ...(deadline !== undefined && { deadline }) }).txt(name);
  const expectNoAnswer = async (call: () => Promise<unknown>) => {
    const error = await rejectionOf(call);
    expect(error).to.be.instanceOf(CoreError);
    expect(error).to.include({ kind: 'unavailable', code: 'dns_unavailable' });
  };

  it('returns the text of each TXT record, joined from its strings', async () => {
    expect(await lookUp(NAME)).to.deep.equal(['token']);
    expect(await lookUp('split.dev')).to.deep.equal(['one and the same']);
    expect(await lookUp('many.dev')).to.have.members(['v=spf1 -all', 'token', '']);
    expect(await lookUp('long.dev')).to.deep.equal([`${LONG}y`]);
  });

  it('queries the exact name without a search suffix', async () => {
    const before = server.queries.length;
    await lookUp(NAME);
    await lookUp('gone.dev');
    // The resolver repeats a query if the answer is late.
    expect([...new Set(server.queries.slice(before))]).to.deep.equal([NAME, 'gone.dev']);
  });

  it('follows a CNAME record', async () => {
    expect(await lookUp('alias.dev')).to.deep.equal(['behind an alias']);
  });

  it('returns no texts for an unknown name or a name without TXT records', async () => {
    expect(await lookUp('gone.dev')).to.deep.equal([]);
    expect(await lookUp('empty.dev')).to.deep.equal([]);
  });

  it('fails with dns_unavailable if the server fails, refuses or sends a malformed answer', async () => {
    for (const name of ['failing.dev', 'refusing.dev', 'garbage.dev'])
      await expectNoAnswer(() => lookUp(name));
  });

  it('fails with dns_unavailable if no server listens', async () => {
    const secondServer = await openDnsServer({});
    const { address } = secondServer;
    await secondServer.close();
    await expectNoAnswer(() => makeDns({ servers: [address] }).txt(NAME));
  });

  it('fails with dns_unavailable after the deadline', async () => {
    const start = performance.now();
    await expectNoAnswer(() => lookUp('silent.dev', 200));
    expect(performance.now() - start).to.be.within(190, 2_500);
  });

  it('times out after 3 seconds, and does not block other calls while 50 wait', async () => {
    const start = performance.now();
    const waiting = Array.from({ length: 50 }, () => expectNoAnswer(() => lookUp('silent.dev')));
    expect(await lookUp(NAME)).to.deep.equal(['token']);
    await readFile(new URL(import.meta.url));
    expect(performance.now() - start, 'time of other DNS and file calls').to.be.below(2_500);
    await Promise.all(waiting);
    expect(performance.now() - start, 'time of all waiting calls').to.be.within(2_500, 20_000);
  });
});
