import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openStorePorts } from '../../support/store-ports.ts';
import { rowsAbout } from './founder-actions.ts';
import { operatorAt, outcome } from './opened.ts';

const HOUR = 3_600_000;

const UNFIT = {
  'one blank': ' ',
  'a byte order mark': '\ufeff',
  'invisible characters': '\u200b\u2060',
  'a NUL': 'spam\u0000',
  'an order for a terminal': '\u001b[2Jspam',
  'a control character of Latin-1': 'spam\u009b1m',
  ...Object.fromEntries(
    ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'].map(
      (control) => [`the direction U+${control.charCodeAt(0).toString(16)}`, `spam${control}gnissim`],
    ),
  ),
  '501 characters': 'x'.repeat(501),
  '501 characters of two code units': '😀'.repeat(501),
} as const;

describe('The reason of an act', () => {
  const service = useService();
  let eve: Awaited<ReturnType<typeof operatorAt>>;
  before(async () => {
    eve = await operatorAt(service());
  });

  it('is refused before anything is done, where nobody could read it', async () => {
    const store = openStorePorts(service().folder);
    // Not due yet, or the service may apply it before it is moved.
    const receivedAt = service().clock.now() + HOUR;
    await store.ledger.add({ id: 'one', body: '{"type":"order.paid"}' }, receivedAt);
    await store.ledger.move('one', { state: 'dead', failure: 'unknown_product', userId: null });
    const acts = ['deliveries/one/replay', 'mails/none/retry', 'mails/retry', `users/${eve.user.id}/unlock`];
    for (const [name, reason] of Object.entries(UNFIT))
      for (const path of acts) {
        const refused = await eve.act('POST', `/api/admin/${path}`, { reason });
        expect(outcome(refused), `${name}: ${path}`).to.deep.equal([400, 'invalid_reason']);
      }
    expect(await store.ledger.findState('one')).to.equal('dead');
    await store.close();
  });

  it('is kept as it was written, in any language and on several lines', async () => {
    const { id } = await service().signUp();
    for (const reason of [
      'zażółć gęślą jaźń',
      'на прохання',
      '👩‍👩‍👧',
      'one\n\ttwo',
      'עברית',
      '😀'.repeat(500),
    ]) {
      expect((await eve.act('POST', `/api/admin/users/${id}/ban`, { reason })).status).to.equal(200);
      // The answer does not wait for a row that the store was too slow to take.
      await rowsAbout(service(), { id });
      const { body } = await eve.get(`/api/admin/users/${id}/audit?limit=1`);
      expect(body.rows?.[0]?.reason).to.equal(reason);
    }
  });
});
