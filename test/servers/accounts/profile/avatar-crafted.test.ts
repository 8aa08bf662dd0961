import { expect } from 'chai';
import { readImage } from '../../../../core/images/index.ts';
import { holds } from '../../../support/images/bytes.ts';
import { PLACE } from '../../../support/images/exif.ts';
import { cleaned, limits } from '../../../support/images/reading.ts';
import { crafted, talkative } from '../../../support/images/samples.ts';
import { useService } from '../../../support/service.ts';
import { formOf, picture, send, setAvatar, show, storedFor } from './avatars.ts';

/** What is in these files for others than those who look at them. */
const LOADS = ['<script', '<!doctype', 'PK\x03\x04', 'Comment', 'xmpmeta', 'Kamienna', PLACE];

describe('A file made to be more than an avatar', () => {
  const service = useService();

  it('comes in twelve kinds', () => {
    expect(crafted).to.have.length(12);
  });

  for (const { what, name, bytes, code } of crafted.filter((one) => one.code !== undefined)) {
    it(`is refused, and the one before stays: ${what}`, async () => {
      const user = await service().signUp();
      const path = await setAvatar(service(), user);
      const refused = await send(service(), user, formOf({ bytes, name }));
      expect([refused.status, refused.body.code]).to.deep.equal([400, code]);
      expect(refused.body).to.have.all.keys('message', 'code');
      expect((await show(service(), user)).bytes).to.deep.equal(picture);
      expect(await storedFor(service(), user)).to.deep.equal([path]);
    });
  }

  const taken = [
    ...crafted.filter(({ code }) => code === undefined),
    ...Object.entries(talkative).map(([what, bytes]) => ({ what, name: 'me.png', bytes })),
  ];
  for (const { what, name, bytes } of taken) {
    it(`is shown without its load, as what it is: ${what}`, async () => {
      const user = await service().signUp();
      // Told to be something else, as whoever wants a script of theirs run would.
      const { status } = await send(service(), user, formOf({ bytes, name, type: 'text/html' }));
      expect(status).to.equal(200);
      const shown = await show(service(), user);
      expect(LOADS.some((load) => holds(bytes, load))).to.equal(true);
      for (const load of LOADS) expect(holds(shown.bytes, load), load).to.equal(false);
      expect(shown.bytes).to.deep.equal(cleaned(bytes));
      const { type, extension } = readImage(shown.bytes, limits);
      expect(shown.headers.get('content-type')).to.equal(type);
      expect((await storedFor(service(), user))[0]).to.match(new RegExp(`\\.${extension}$`));
    });
  }
});
