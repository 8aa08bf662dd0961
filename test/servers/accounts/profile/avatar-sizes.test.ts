import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { formOf, makePngOfLength, send, show, smallestPng, upload } from './avatars.ts';

const LONGEST = 2_097_152;

/** Bytes that a form may have beside the file. */
const BESIDE = 16_384;

describe('An avatar file', () => {
  const service = useService();
  let user: User;
  before(async () => {
    user = await service().signUp();
  });

  const codeOf = async (form: FormData): Promise<readonly unknown[]> => {
    const { status, body } = await send(service(), user, form);
    return [status, body.code];
  };

  it('is limited to exactly 2,097,152 bytes', async () => {
    const bytes = makePngOfLength(LONGEST);
    expect(bytes.length).to.equal(LONGEST);
    expect((await upload(service(), user, bytes)).status).to.equal(200);
    const shown = await show(service(), user);
    // The text chunk alone is removed.
    expect(shown.bytes.length).to.be.within(LONGEST - 10_000, LONGEST - 1);

    const { status, body } = await upload(service(), user, makePngOfLength(LONGEST + 1));
    expect([status, body.code]).to.deep.equal([400, 'file_too_large']);
    expect(String(body.message)).to.include('2097152');
    expect((await show(service(), user)).bytes).to.deep.equal(shown.bytes);
  });

  it('is limited apart from the rest of the form, which has a limit of its own', async () => {
    const formWithNote = (bytes: number) => {
      const form = formOf({ bytes: makePngOfLength(LONGEST) });
      form.append('note', 'x'.repeat(bytes));
      return form;
    };
    expect((await codeOf(formWithNote(BESIDE - 1_000)))[0]).to.equal(200);
    expect(await codeOf(formWithNote(BESIDE))).to.deep.equal([400, 'file_too_large']);
  });

  it('is refused with a readable reply if it has many megabytes', async () => {
    for (const megabytes of [3, 10, 40]) {
      const bytes = new Uint8Array(megabytes * 1_048_576);
      expect(await codeOf(formOf({ bytes }))).to.deep.equal([400, 'file_too_large']);
    }
  });

  it('is missing if the form was sent without a chosen file', async () => {
    const nothing = { bytes: new Uint8Array(), name: '', type: 'application/octet-stream' };
    expect(await codeOf(formOf(nothing))).to.deep.equal([400, 'file_missing']);
  });

  it('is missing if its field is absent or occurs twice', async () => {
    const other = { bytes: smallestPng, field: 'picture' };
    const own = { bytes: smallestPng };
    expect(await codeOf(formOf(other))).to.deep.equal([400, 'file_missing']);
    expect(await codeOf(formOf(own, own))).to.deep.equal([400, 'file_missing']);
    expect(await codeOf(formOf(own, other, own))).to.deep.equal([400, 'file_missing']);
    expect((await codeOf(formOf(other, own, other)))[0]).to.equal(200);
  });
});
