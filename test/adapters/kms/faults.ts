import { expect } from 'chai';
import type { RemoteKms } from '../../../adapters/kms/remote.ts';
import { CoreError } from '../../../core/errors.ts';
import type { Log } from '../../../core/ports.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import type { Fault, StrictServer } from '../../support/servers/strict-server.ts';

const SECRET = new TextEncoder().encode('a secret that shows nowhere');

/** The faults of a service, and their reason in the log. */
const FAULTS: Readonly<Record<string, { readonly fault: Fault; readonly reason: RegExp }>> = {
  'answers 500': { fault: (response) => response.writeHead(500).end('{}'), reason: /^failed$/ },
  'answers 503 with a page': {
    fault: (response) => response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>Sorry</h1>'),
    reason: /^failed$/,
  },
  'answers 429': { fault: (response) => response.writeHead(429).end('{"errors":[]}'), reason: /^throttled$/ },
  'answers with invalid JSON': {
    fault: (response) => response.writeHead(200).end('%PDF-1.7'),
    reason: /^garbled$/,
  },
  'answers with nothing': { fault: (response) => response.writeHead(200).end(), reason: /^garbled$/ },
  'answers with an empty object': {
    fault: (response) => response.writeHead(200).end('{}'),
    reason: /^garbled$/,
  },
  'ends the connection': { fault: (response) => response.destroy(), reason: /^unreachable$/ },
  'ends the connection during its answer': {
    fault: (response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"data":', () => response.destroy());
    },
    reason: /^unreachable$|^garbled$/,
  },
};

export interface Trial {
  readonly server: StrictServer;
  open(log: Log): Promise<RemoteKms>;
  /** Values that must not appear in errors or in the log. */
  readonly secrets: readonly string[];
}

/** Tests a remote KMS during faults of its service. */
export const testKmsFaults = (name: string, start: () => Promise<Trial>): void => {
  describe(`${name} during faults of its service`, () => {
    let trial: Trial;
    let kms: RemoteKms;
    useFakeTime();
    let log = makeRecordingLog();

    beforeEach(async () => {
      trial = await start();
      log = makeRecordingLog();
      kms = await trial.open(log);
    });
    afterEach(async () => {
      kms.close();
      await trial.server.close();
    });

    const outcomeOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

    const expectUnavailable = async (call: Promise<unknown>) => {
      const error = await outcomeOf(call);
      expect(error).to.be.instanceOf(CoreError);
      expect(error).to.include({ kind: 'unavailable', code: 'kms_unavailable' });
      const text = JSON.stringify([
        ...Object.values(error as CoreError),
        String((error as CoreError).stack),
        (error as CoreError).cause,
        log.lines,
      ]);
      const secrets = [
        ...trial.secrets,
        ...(['utf8', 'base64'] as const).map((as) => Buffer.from(SECRET).toString(as)),
      ];
      for (const secret of secrets) expect(text).to.not.include(secret);
    };

    for (const [trouble, { fault, reason }] of Object.entries(FAULTS)) {
      it(`is unavailable after three attempts if the service ${trouble}`, async () => {
        const sealed = await kms.seal(SECRET, 'c');
        const before = trial.server.requests.length;
        trial.server.fault = fault;
        await expectUnavailable(kms.open(sealed, 'c'));
        expect(trial.server.requests).to.have.length(before + 3);
        expect(log.lines).to.have.length(1);
        expect(log.lines[0]).to.deep.include({ level: 'warn', event: 'kms.failed' });
        expect(log.lines[0]?.fields.reason).to.match(reason);
        trial.server.fault = undefined;
        expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
        trial.server.fault = fault;
        await expectUnavailable(kms.seal(SECRET, 'c'));
      });

      it(`succeeds at the third attempt if the service ${trouble} twice`, async () => {
        trial.server.faults.push(fault, fault);
        const sealed = await kms.seal(SECRET, 'c');
        trial.server.faults.push(fault, fault);
        expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
        expect(trial.server.requests).to.have.length(6);
      });
    }

    it('is unavailable if nothing listens', async () => {
      const sealed = await kms.seal(SECRET, 'c');
      await trial.server.close();
      await expectUnavailable(kms.open(sealed, 'c'));
      await expectUnavailable(kms.seal(SECRET, 'c'));
    });

    it('does not follow a redirect, and does not retry it', async () => {
      const sealed = await kms.seal(SECRET, 'c');
      const second = await start();
      trial.server.fault = (response) => response.writeHead(307, { Location: second.server.url }).end();
      await expectUnavailable(kms.open(sealed, 'c'));
      expect([trial.server.requests.length, second.server.requests.length]).to.deep.equal([2, 0]);
      await second.server.close();
    });

    it('stays up after texts that it did not seal', async () => {
      const sealed = await kms.seal(SECRET, 'c');
      for (let count = 0; count < 20; count += 1) {
        expect(await outcomeOf(kms.open(sealed, 'd'))).to.include({ code: 'invalid_sealed' });
      }
      expect(kms.isUp()).to.equal(true);
      expect(log.lines).to.deep.equal([]);
    });

    it('refuses to seal and to open after close', async () => {
      const sealed = await kms.seal(SECRET, 'c');
      kms.close();
      await expectUnavailable(kms.seal(SECRET, 'c'));
      await expectUnavailable(kms.open(sealed, 'c'));
      expect(trial.server.requests).to.have.length(1);
    });
  });
};
