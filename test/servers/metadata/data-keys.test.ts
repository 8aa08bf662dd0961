import { expect } from 'chai';
import { type Reply, useService } from '../../support/service.ts';
import { sameBytes, withEachBitFlipped } from '../../support/spellings.ts';
import { makeClient, useClient } from './client.ts';

const BYTES = Buffer.from(Array.from({ length: 32 }, (_, place) => 0xff - 7 * place));

/** The same 32 bytes, or any others, in every form that is taken. */
const FORMS: Readonly<Record<string, string>> = {
  'base64 with padding': BYTES.toString('base64'),
  'base64 without padding': BYTES.toString('base64').replace('=', ''),
  'base64url with padding': `${BYTES.toString('base64url')}=`,
  'base64url without padding': BYTES.toString('base64url'),
  'lower-case hex': BYTES.toString('hex'),
  'upper-case hex': BYTES.toString('hex').toUpperCase(),
  'mixed-case hex': BYTES.toString('hex').replace('f', 'F'),
  '32 ASCII characters': '0123456789 ~!"\\/<>&\'{}[]()abcDEF',
  '32 spaces': ' '.repeat(32),
  'base64 of zeros': Buffer.alloc(32).toString('base64'),
};

const expectCode = ({ status, body }: Reply, code: string, what = '') => {
  expect([status, body.error], `${what} ${JSON.stringify(body)}`).to.deep.equal([400, code]);
  expect(body, what).to.have.all.keys('error', 'message');
};

describe('A data key', () => {
  const service = useService();
  const other = useService();
  const client = useClient(service);
  const wrap = (dek: unknown, context?: unknown) => client().post('/api/v1/dek/wrap', { dek, context });
  const unwrap = (dekEnc: unknown, context?: unknown) =>
    client().post('/api/v1/dek/unwrap', { dekEnc, context });
  const wrapped = async (dek: string, context?: string) => String((await wrap(dek, context)).body.dekEnc);
  const [dek = ''] = Object.values(FORMS);

  for (const [form, text] of Object.entries(FORMS)) {
    it(`as ${form} comes back exactly as it was`, async () => {
      const { status, body } = await wrap(text);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.have.all.keys('dekEnc');
      expect(body.dekEnc).to.match(/^[\x21-\x7e]{1,2048}$/);
      expect(String(body.dekEnc)).not.to.include(text);
      expect((await unwrap(body.dekEnc)).body).to.deep.equal({ dek: text });
    });
  }

  it('is another one wrapped each time', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, () => wrapped(dek)));
    expect(new Set(texts).size).to.equal(20);
    for (const text of texts) expect((await unwrap(text)).body).to.deep.equal({ dek });
  });

  it('is refused when it is missing, no text, or not 32 bytes', async () => {
    for (const wrong of [
      ...[undefined, null, 7, true, [dek], { dek }, '', 'x'.repeat(31), 'x'.repeat(33), 'x'.repeat(65)],
      ...[Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), `${'é'.repeat(31)}x`],
      ...[`${'x'.repeat(31)}\u007f`, `${'x'.repeat(31)}\n`, 'g'.repeat(64), '0'.repeat(63), '0'.repeat(65)],
      // The last character holds bits that belong to no byte.
      ...[`${'A'.repeat(42)}B=`, `${'A'.repeat(42)}B`, `${'+'.repeat(21)}${'-'.repeat(21)}A`],
      ...[`${'A'.repeat(43)}==`, ` ${'A'.repeat(43)}`, `${dek}\n`, '😀'.repeat(32)],
    ]) {
      expectCode(await wrap(wrong), 'invalid_dek', JSON.stringify(wrong));
    }
  });

  it('is refused wrapped when that is missing, no text, or nothing that was wrapped', async () => {
    const good = await wrapped(dek);
    for (const wrong of [
      ...[undefined, null, 7, true, [good], { dekEnc: good }, '', 'x', 'x'.repeat(2_048), 'x'.repeat(2_049)],
      ...[
        dek,
        `${good} `,
        ` ${good}`,
        `${good}\n`,
        `${good}.`,
        good.slice(0, -1),
        good.toUpperCase(),
        'gd1..',
      ],
      ...[
        'gd1',
        good.replace('gd1', 'gd2'),
        good.replace(/^gd1\.[^.]+/, 'gd1'),
        `${good}${'='.repeat(2_048)}`,
      ],
    ]) {
      expectCode(await unwrap(wrong), 'invalid_enc_dek', JSON.stringify(wrong)?.slice(0, 60));
    }
  });

  it('is refused with any bit of it changed, or spelled in another way', async () => {
    const [version, digest = '', seal, id, nonce = '', body = ''] = (await wrapped(dek, 'file 1')).split('.');
    const changed = [
      ...withEachBitFlipped(digest).map((one) => [version, one, seal, id, nonce, body]),
      ...withEachBitFlipped(nonce).map((one) => [version, digest, seal, id, one, body]),
      ...[...withEachBitFlipped(body), ...sameBytes(body)].map((one) => [
        version,
        digest,
        seal,
        id,
        nonce,
        one,
      ]),
      [version, digest, seal, 'another', nonce, body],
    ];
    expect(changed.length).to.be.greaterThan(500);
    const items = changed.map((parts) => ({ dekEnc: parts.join('.'), context: 'file 1' }));
    for (let from = 0; from < items.length; from += 100) {
      const part = items.slice(from, from + 100);
      const { body: answer } = await client().post('/api/v1/dek/unwrap/batch', { items: part });
      expect(answer.items).to.deep.equal(part.map(() => ({ error: 'invalid_enc_dek' })));
    }
  });

  it('opens under the context it was wrapped for and no other', async () => {
    const contexts = ['a', 'A', 'a ', 'file 2', '\u0000', 'é', 'e\u0301', 'x'.repeat(256), '😀'.repeat(256)];
    const texts = await Promise.all([undefined, ...contexts].map((context) => wrapped(dek, context)));
    for (const [place, text] of texts.entries()) {
      for (const [at, context] of [undefined, ...contexts].entries()) {
        const reply = await unwrap(text, context);
        if (at === place) expect(reply.body).to.deep.equal({ dek });
        else expectCode(reply, 'invalid_enc_dek', `${context} in place of ${contexts[place - 1]}`);
      }
    }
  });

  it('takes as a context 1 to 256 characters', async () => {
    const good = await wrapped(dek);
    for (const context of ['', 'x'.repeat(257), '😀'.repeat(257), 7, null, {}, ['a']]) {
      expectCode(await wrap(dek, context), 'invalid_request', JSON.stringify(context));
      expectCode(await unwrap(good, context), 'invalid_request', JSON.stringify(context));
    }
  });

  it('is not opened where it was not wrapped', async () => {
    const foreign = await makeClient(other().metadataUrl).post('/api/v1/dek/wrap', { dek });
    expect(foreign.status).to.equal(200);
    expectCode(await unwrap(foreign.body.dekEnc), 'invalid_enc_dek');
  });

  it('can be kept in a record, and is opened from there', async () => {
    const dekEnc = await wrapped(dek);
    const { body: made } = await client().create({ dekEnc });
    const { body: record } = await client().read(String(made.id));
    expect((await unwrap(record.dekEnc)).body).to.deep.equal({ dek });
  });

  it('is an invalid request where the body is none', async () => {
    for (const path of ['wrap', 'unwrap', 'wrap/batch', 'unwrap/batch']) {
      for (const body of ['{', '[]', 'null', '"x"', '']) {
        expectCode(await client().post(`/api/v1/dek/${path}`, body), 'invalid_request', `${path} ${body}`);
      }
    }
  });
});
