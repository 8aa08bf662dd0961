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

describe('An interrupted list', () => {
  const service = useService();
  let app: Started;
  afterEach(() => app.close());

  const start = async (listAllText: Files['listAllText']) => {
    const routes = recordRoutes({ ...service().composition.files, listAllText });
    app = await startApp(routes, { style: 'metadata', trusts: () => true });
    return `${app.url}/api/v1/meta?userId=a`;
  };
  /** Starts with a store that fails after `pages` pages. */
  const failingAfter = (pages: number, error: Error) =>
    start(async function* () {
      for (let page = 0; page < pages; page += 1) yield PAGE;
      throw error;
    });
  /** Starts with a store of endless pages; `progress` counts the pages that were read. */
  const startEndless = async () => {
    const progress = { pages: 0, ended: false };
    const url = await start(async function* () {
      try {
        for (;;) {
          await setImmediate();
          progress.pages += 1;
          yield PAGE;
        }
      } finally {
        progress.ended = true;
      }
    });
    return { url, progress };
  };
  const failedLines = () => app.lines.filter(({ event }) => event === 'http.failed');

  for (const pages of [0, 1]) {
    it(`is answered with an error response if the store fails after ${pages} pages`, async () => {
      const down = await failingAfter(pages, unavailable('store_unavailable', 'The store is down.', 3));
      const { status, body, headers } = await ask(down);
      expect([status, body]).to.deep.equal([
        503,
        { error: 'store_unavailable', message: 'The store is down.' },
      ]);
      expect(headers['retry-after']).to.equal('3');
      expect(failedLines()).to.deep.equal([]);
      await app.close();

      const broken = await failingAfter(pages, new Error('canary'));
      const reply = await ask(broken);
      expect([reply.status, reply.body.error]).to.deep.equal([500, 'internal']);
      expect(reply.text).not.to.include('canary');
      expect(failedLines()).to.have.length(1);
    });
  }

  for (const pages of [2, 3, 40]) {
    it(`ends the connection if the store fails after ${pages} pages`, async () => {
      const url = await failingAfter(pages, new Error('canary'));
      const outcome = await ask(url).then(
        ({ text }) => text,
        (error: Error) => error,
      );
      expect(outcome).to.be.instanceOf(Error);
      await until(() => app.accessLines.length === 1);
      expect(app.accessLines[0]).to.include({ status: 499, code: 'internal' });
      expect(failedLines()).to.have.length(1);
      // The service keeps serving.
      expect((await ask(`${app.url}/api/v1/meta/x`)).status).to.equal(404);
    });
  }

  for (const when of ['in the middle', 'before it begins'] as const) {
    it(`is read no further if the client disconnects ${when}`, async () => {
      const { url, progress } = await startEndless();
      const sent = request(url, { agent: false });
      sent.on('error', () => undefined);
      sent.end();
      if (when === 'in the middle') {
        const [answer]: IncomingMessage[] = await once(sent, 'response');
        answer?.on('error', () => undefined);
        await once(answer ?? sent, 'readable');
      } else {
        await until(() => progress.pages > 0);
      }
      sent.destroy();
      await until(() => progress.ended);
      expect(failedLines()).to.deep.equal([]);
    });
  }

  it('is not read to its end for a HEAD request', async () => {
    const { url, progress } = await startEndless();
    const { status, text } = await ask(url, { method: 'HEAD' });
    expect([status, text]).to.deep.equal([200, '']);
    await until(() => progress.ended);
    // The service reads two pages to distinguish a short list from a streamed one.
    expect(progress.pages).to.equal(2);
  });
});
