import { expect } from 'chai';
import { readImage } from '../../../../core/images/index.ts';
import { cleanImage, limits } from '../../../support/images/reading.ts';
import { craftedImages } from '../../../support/images/samples.ts';
import { useService } from '../../../support/service.ts';
import { formOf, send, setAvatar, show, smallestPng, storedFor } from './avatars.ts';

describe('An avatar with crafted content', () => {
  const service = useService();

  it('is refused with its code, and the previous avatar stays', async () => {
    const { name, bytes, code } =
      craftedImages.find((sample) => sample.code !== undefined) ?? expect.fail('No such sample.');
    const user = await service().signUp();
    const path = await setAvatar(service(), user);
    const refused = await send(service(), user, formOf({ bytes, name }));
    expect([refused.status, refused.body.code]).to.deep.equal([400, code]);
    expect(refused.body).to.have.all.keys('message', 'code');
    expect((await show(service(), user)).bytes).to.deep.equal(smallestPng);
    expect(await storedFor(service(), user)).to.deep.equal([path]);
  });

  it('is stored without its payload, under the type of its content', async () => {
    const { name, bytes } =
      craftedImages.find(({ code }) => code === undefined) ?? expect.fail('No such sample.');
    const user = await service().signUp();
    // The declared type would make browsers run a script in the file.
    const { status } = await send(service(), user, formOf({ bytes, name, type: 'text/html' }));
    expect(status).to.equal(200);
    const shown = await show(service(), user);
    expect(shown.bytes).to.deep.equal(cleanImage(bytes)).and.not.deep.equal(bytes);
    const { type, extension } = readImage(shown.bytes, limits);
    expect(shown.headers.get('content-type')).to.equal(type);
    expect((await storedFor(service(), user))[0]).to.match(new RegExp(`\\.${extension}$`));
  });
});
