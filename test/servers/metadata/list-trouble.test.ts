import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type Files, unavailable } from '../../../core/index.ts';
import { recordRoutes } from '../../../servers/metadata/records.ts';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ask, type Started, startApp } from '../http/start-app.ts';

const PAGE: readonly string[] = Array.from({ length: 500 }, (_, place) =>
  JSON.stringify({
    id: `0199a0a0-0000-7000-8000-${String(place).padStart(12, '0')}`,
    filenameEnc: 'x'.repeat(200),
    size: place,
    mimeType: 'image/png',
    thumb: true,
    uploadedDate: '2026-01-01T00:00:00.000Z',
  }),
);

describe('A list that is broken off', () => {
  const service = useService();
  let app: Started;
  afterEach(() => app.close());

  const start = async (listAllText: Files['listAllText']) => {
    const routes = recordRoutes({ ...service().composition.files, listAllText });
    app = await startApp(routes, { style: 'metadata', trusts: () => true });
    return `${app.url}/api/v1/meta?userId=a`;
  };
  /** A store that fails after so many pages. */
  const failingAfter = (pages: number, error: Error) =>
    start(async function* () {
      for (let page = 0; page < pages; page += 1) yield PAGE;
      throw error;
    });
  /** A store whose pages have no end, and what was read of them. */
  const startEndless = async () => {
    const seen = { pages: 0, ended: false };
    const url = await start(async function* () {
      try {
        for (;;) {
          await setImmediate();
          seen.pages += 1;
          yield PAGE;
        }
      } finally {
        seen.ended = true;
      }
    });
    return { url, seen };
  };
  const failed = () => app.lines.filter(({ event }) => event === 'http.failed');

  for (const pages of [0, 1]) {
    it(`by the store after ${pages} pages is an error like any other`, async () => {
      const down = await failingAfter(pages, unavailable('store_unavailable', 'The store is down.', 3));
      const { status, body, headers } = await ask(down);
      expect([status, body]).to.deep.equal([
        503,
        { error: 'store_unavailable', message: 'The store is down.' },
      ]);
      expect(headers['retry-after']).to.equal('3');
      expect(failed()).to.deep.equal([]);
      await app.close();

      const broken = await failingAfter(pages, new Error('canary'));
      const reply = await ask(broken);
      expect([reply.status, reply.body.error]).to.deep.equal([500, 'internal']);
      expect(reply.text).not.to.include('canary');
      expect(failed()).to.have.length(1);
    });
  }

  for (const pages of [2, 3, 40]) {
    it(`by the store after ${pages} pages never looks whole`, async () => {
      const url = await failingAfter(pages, new Error('canary'));
      const outcome = await ask(url).then(
        ({ text }) => text,
        (error: Error) => error,
      );
      expect(outcome).to.be.instanceOf(Error);
      await until(() => app.accessLines.length === 1);
      expect(app.accessLines[0]).to.include({ status: 499, code: 'internal' });
      expect(failed()).to.have.length(1);
      // The service itself goes on.
      expect((await ask(`${app.url}/api/v1/meta/x`)).status).to.equal(404);
    });
  }

  for (const when of ['in the middle', 'before it begins'] as const) {
    it(`by a client that leaves ${when} is read no further`, async () => {
      const { url, seen } = await startEndless();
      const sent = request(url, { agent: false });
      sent.on('error', () => undefined);
      sent.end();
      if (when === 'in the middle') {
        const [answer]: IncomingMessage[] = await once(sent, 'response');
        answer?.on('error', () => undefined);
        await once(answer ?? sent, 'readable');
      } else {
        await until(() => seen.pages > 0);
      }
      sent.destroy();
      await until(() => seen.ended);
      expect(failed()).to.deep.equal([]);
    });
  }

  it('is not read through for a HEAD', async () => {
    const { url, seen } = await startEndless();
    const { status, text } = await ask(url, { method: 'HEAD' });
    expect([status, text]).to.deep.equal([200, '']);
    await until(() => seen.ended);
    // What tells a short list from one that is streamed.
    expect(seen.pages).to.equal(2);
  });
});
