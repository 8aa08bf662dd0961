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
import { openPolar } from '../polar/opened.ts';

const FIRST = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
const SECOND = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01' };
const log = makeRecordingLog();

describe('The trace of a call', () => {
  /** Calls in one trace, and in another. */
  const callInBoth = async (call: () => Promise<unknown>) => {
    await withTraceHeaders(FIRST, call);
    await withTraceHeaders(SECOND, call);
  };
  const both = [FIRST.traceparent, SECOND.traceparent];

  it('goes out to AWS KMS, signed', async () => {
    const server = await openStrictAwsKms();
    const kms = await openAwsKms({ ...AWS_TEST, keyId: server.addKey(), endpoint: server.url, log });
    try {
      await callInBoth(() => kms.seal(new Uint8Array(32), 'context'));
      expect(server.requests.map(({ headers }) => headers.traceparent)).to.deep.equal(both);
      expect(server.requests[0]?.headers.authorization).to.match(/SignedHeaders=[^,]*\btraceparent\b/);
    } finally {
      kms.close();
      await server.close();
    }
  });

  it('goes out to a bucket, signed', async () => {
    const server = await openStrictS3();
    const objects = await openS3Objects({ ...bucketAt(server), log });
    try {
      await callInBoth(() => objects.find('user/name.png'));
      expect(server.requests.map(({ headers }) => headers.traceparent)).to.deep.equal(both);
      expect(server.requests[0]?.headers.authorization).to.match(/SignedHeaders=[^,]*\btraceparent\b/);
    } finally {
      objects.close();
      await server.close();
    }
  });

  it('goes out to SendGrid, and not into the mail', async () => {
    const provider = await openFakeSendGrid();
    const mailer = makeSendGridMailer({ apiKey: 'SG.key', baseUrl: provider.url, from: 'a@b.example' });
    try {
      await Promise.all([
        withTraceHeaders(FIRST, () => mailer.send(sampleMessage())),
        withTraceHeaders(SECOND, () => mailer.send(sampleMessage())),
      ]);
      expect(provider.calls.map(({ headers }) => headers.traceparent)).to.have.members(both);
      expect(JSON.stringify(provider.calls.map(({ mail }) => mail))).to.not.include('4bf92f35');
    } finally {
      await provider.close();
    }
  });

  it('goes out to Polar', async () => {
    const polar = await openStrictPolar();
    const provider = openPolar(`${polar.url}/v1`, { log });
    try {
      await callInBoth(() => provider.stateOf('01890a5d-ac96-774b-bcce-b302099a8057'));
      expect(polar.requests.map(({ headers }) => headers.traceparent)).to.deep.equal(both);
    } finally {
      provider.close();
      await polar.close();
    }
  });

  it('goes out to where exchange rates come from', async () => {
    const bank = await openStrictServer(() => ({
      status: 200,
      body: '{"rates":[{"effectiveDate":"2026-01-02","mid":3.6521}]}',
    }));
    const source = makeNbpRateSource({ url: bank.url });
    try {
      await callInBoth(() => source.latest());
      await source.latest();
      expect(bank.requests.map(({ headers }) => headers.traceparent)).to.deep.equal([...both, undefined]);
    } finally {
      await bank.close();
    }
  });
});
