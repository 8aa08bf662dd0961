import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { makeNbpRateSource } from '../../../adapters/billing/nbp-rates.ts';
import { withTraceHeaders } from '../../../adapters/calls/trace-headers.ts';
import { openAwsKms } from '../../../adapters/kms/aws.ts';
import { makeSendGridMailer } from '../../../adapters/mailers/sendgrid.ts';
import { openS3Objects } from '../../../adapters/s3/object-store.ts';
import { sampleMessage } from '../../contracts/mailer.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { AWS_TEST, openStrictAwsKms } from '../../support/servers/aws/strict-aws-kms.ts';
import { bucketAt, openStrictS3 } from '../../support/servers/aws/strict-s3.ts';
import { openFakeSendGrid } from '../../support/servers/fake-sendgrid.ts';
import { openStrictPolar } from '../../support/servers/strict-polar.ts';
import { openStrictServer } from '../../support/servers/strict-server.ts';
import { openPolar } from '../polar/open-polar.ts';

const FIRST = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
const SECOND = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01' };
const log = makeRecordingLog();

interface Destination {
  /** The requests received so far. */
  readonly requests: readonly { readonly headers: IncomingHttpHeaders }[];
  call(): Promise<unknown>;
  close(): Promise<void>;
}

const DESTINATIONS: Readonly<Record<string, () => Promise<Destination>>> = {
  'AWS KMS, signed': async () => {
    const server = await openStrictAwsKms();
    const kms = await openAwsKms({ ...AWS_TEST, keyId: server.addKey(), endpoint: server.url, log });
    const close = async () => {
      kms.close();
      await server.close();
    };
    return { ...server, call: () => kms.seal(new Uint8Array(32), 'context'), close };
  },
  'a bucket, signed': async () => {
    const server = await openStrictS3();
    const objects = await openS3Objects({ ...bucketAt(server), log });
    const close = async () => {
      objects.close();
      await server.close();
    };
    return { ...server, call: () => objects.find('user/name.png'), close };
  },
  SendGrid: async () => {
    const { url, calls: requests, close } = await openFakeSendGrid();
    const mailer = makeSendGridMailer({ apiKey: 'SG.key', baseUrl: url, from: 'a@b.example' });
    return { requests, call: () => mailer.send(sampleMessage()), close };
  },
  Polar: async () => {
    const polar = await openStrictPolar();
    const provider = openPolar(`${polar.url}/v1`, { log });
    return { ...polar, call: () => provider.stateOf('01890a5d-ac96-774b-bcce-b302099a8057') };
  },
  'the source of exchange rates': async () => {
    const body = '{"rates":[{"effectiveDate":"2026-01-02","mid":3.6521}]}';
    const bank = await openStrictServer(() => ({ status: 200, body }));
    return { ...bank, call: () => makeNbpRateSource({ url: bank.url }).latest() };
  },
};

describe('The trace of a call', () => {
  for (const [name, open] of Object.entries(DESTINATIONS)) {
    it(`is sent to ${name} in the headers only`, async () => {
      const { requests, call, close } = await open();
      try {
        await Promise.all([FIRST, SECOND].map((trace) => withTraceHeaders(trace, call)));
        // On a busy machine an attempt may miss its deadline and be repeated, in the same trace.
        const traces = new Set(requests.map(({ headers }) => headers.traceparent));
        expect([...traces]).to.have.members([FIRST.traceparent, SECOND.traceparent]);
        for (const { headers, ...rest } of requests) {
          expect(JSON.stringify(rest)).to.not.include('4bf92f35');
          if (name.endsWith('signed'))
            expect(headers.authorization).to.match(/SignedHeaders=[^,]*\btraceparent\b/);
        }
        await call();
        expect(requests.at(-1)?.headers, 'a call outside a trace').to.not.have.property('traceparent');
      } finally {
        await close();
      }
    });
  }
});
