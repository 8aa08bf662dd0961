import { expect } from 'chai';
import fc from 'fast-check';
import type { CreateFileInput } from '../../../core/files/file-record.ts';
import { entryBytes } from '../../../core/files/file-record.ts';
import { isId, timeOfId } from '../../../core/ids.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW } from '../../contracts/samples.ts';
import { type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

const MAX_LENGTHS = { filenameEnc: 4_096, dekEnc: 2_048, user: 128 };
const characters = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
const uploads: fc.Arbitrary<CreateFileInput> = fc.record({
  filenameEnc: characters,
  size: fc.maxSafeNat(),
  user: characters,
  mimeType: fc.stringMatching(/^[a-z0-9][a-zA-Z0-9!#$&^_.+-]{0,20}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,20}$/),
  dekEnc: characters,
  thumb: fc.boolean(),
});

describe('A file record', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open();
  });

  const read = async (id: string): Promise<unknown> => JSON.parse(await core.files.read(id));
  const list = async (userId: string) => (await core.files.list({ userId, limit: 1_000 })).files;
  const expectRefusal = async (differences: Partial<CreateFileInput>) => {
    const error = await rejectionOf(() => core.files.create(upload(differences)));
    expect(error).to.include({ kind: 'invalid', code: 'invalid_request' });
    const [field = ''] = Object.keys(differences);
    expect(error).to.have.property('message').that.contains(`'${field}'`);
  };

  it('has exactly the documented members in each response', async () => {
    const created = await core.files.create(upload({ thumb: true }));
    const { id } = created;
    const common = { id, filenameEnc: 'bmFtZQ==', size: 1_234, mimeType: 'image/png' };
    const uploadedDate = new Date(NOW).toISOString();
    expect(created).to.deep.equal({ ...common, user: 'user', dekEnc: 'wrapped elsewhere', uploadedDate });
    const thumbs = { mobile: true, web: true, webPre: true };
    expect(await read(id)).to.deep.equal({ ...common, dekEnc: 'wrapped elsewhere', thumbs, uploadedDate });
    expect(await list('user')).to.deep.equal([{ ...common, thumb: true, uploadedDate }]);
  });

  it('has a new UUIDv7 of its time, and no thumbnails unless they were requested', async () => {
    const first = await core.files.create(upload({ thumb: false }));
    const second = await core.files.create(upload({ thumb: false }));
    expect(first.id).to.not.equal(second.id);
    for (const { id } of [first, second]) {
      expect(isId(id) && id[14] === '7' && timeOfId(id) === NOW).to.equal(true);
      expect(await read(id)).to.have.deep.property('thumbs', { mobile: false, web: false, webPre: false });
    }
    expect((await list('user')).map(({ thumb }) => thumb)).to.deep.equal([false, false]);
  });

  it('is returned exactly as it was created, with any content', () =>
    fc.assert(
      fc.asyncProperty(uploads, async (input) => {
        const { user, thumb, ...rest } = input;
        const { id, uploadedDate, ...created } = await core.files.create(input);
        expect(created).to.deep.equal({ ...rest, user });
        expect(await read(id)).to.deep.equal({
          id,
          ...rest,
          thumbs: { mobile: thumb, web: thumb, webPre: thumb },
          uploadedDate,
        });
        const { dekEnc: _, ...common } = rest;
        expect((await list(user)).find((file) => file.id === id)).to.deep.equal({
          id,
          ...common,
          thumb,
          uploadedDate,
        });
      }),
      { numRuns: 60 },
    ));

  it('ignores unknown members of the input', async () => {
    const more = { id: 'mine', uploadedAt: 1, removed: true, role: 'founder', __proto__: { thumbs: 1 } };
    const { id } = await core.files.create({ ...upload(), ...more });
    expect(await read(id)).to.have.all.keys(
      'id',
      'filenameEnc',
      'size',
      'mimeType',
      'dekEnc',
      'thumbs',
      'uploadedDate',
    );
    expect(isId(id)).to.equal(true);
  });

  it('is stored and cached as exactly the text that a single read returns', async () => {
    const { id } = await core.files.create(upload({ filenameEnc: 'Zażółć \u{1f98a} \u2028 "\\"' }));
    const fromStore = await core.files.read(id);
    expect(fromStore).to.equal(await core.ports.files.find(id));
    expect(await core.ports.cache.get(id, 1)).to.equal(fromStore);
    expect(await core.files.read(id)).to.equal(fromStore);
    const [sized] = await core.ports.files.listSizes('user', null, 1);
    expect(sized?.bytes).to.equal(Buffer.byteLength(fromStore) + 41);
  });

  it('has a cache size of its UTF-8 bytes and the bytes of its key', () => {
    const check = (text: string) => {
      const bytes = entryBytes('0190a1b2-0000-7000-8000-000000000000', text);
      expect(bytes).to.equal(Buffer.byteLength(text) + 41);
    };
    for (const point of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
      check(String.fromCodePoint(point));
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), check));
  });

  it('limits the lengths of its texts in code points', async () => {
    for (const [field, longest] of Object.entries(MAX_LENGTHS)) {
      for (const character of ['a', 'é', '\u{1f98a}']) {
        const { id } = await core.files.create(upload({ [field]: character.repeat(longest) }));
        expect(isId(id)).to.equal(true);
        await expectRefusal({ [field]: character.repeat(longest + 1) });
      }
      await expectRefusal({ [field]: '' });
      await expectRefusal({ [field]: 'a'.repeat(1_000_000) });
    }
  });

  it('has no lone surrogates in its texts', async () => {
    for (const field of Object.keys(MAX_LENGTHS)) {
      for (const loneSurrogates of ['\ud83e', '\udd8a', 'a\ud83e', '\udd8a\ud83e', '\ud83e\ud83e\udd8a'])
        await expectRefusal({ [field]: loneSurrogates });
    }
  });

  it('requires a media type with type and subtype', async () => {
    const part = 'a'.repeat(127);
    const accepted = [
      'image/png',
      'a/b',
      'application/vnd.a.b+json',
      'X-A/Y_Z',
      `${part}/${part}`,
      '1/2',
      'a/b!#$&^_.+-',
    ];
    for (const mimeType of accepted)
      expect(await core.files.create(upload({ mimeType }))).to.include({ mimeType });
    const wrong = [
      '',
      '/',
      'a',
      'a/',
      '/b',
      'a/b/c',
      'a b/c',
      ' a/b',
      'a/b ',
      'a/b\n',
      'a/b; q=1',
      '*/*',
      'a/*',
    ];
    const odd = [
      'é/a',
      'a/é',
      '\u212a/a',
      'ſ/a',
      '.a/b',
      'a/-b',
      `a${part}/b`,
      `a/${part}b`,
      'a\0/b',
      'a/b'.repeat(99),
    ];
    for (const mimeType of [...wrong, ...odd]) await expectRefusal({ mimeType });
  });

  it('requires a whole number of bytes from 0 to 2^53-1', async () => {
    for (const size of [0, 1, 2 ** 32, 2 ** 53 - 1]) {
      const { id } = await core.files.create(upload({ size }));
      expect(await read(id)).to.include({ size });
    }
    const wrong = [-1, 0.5, 2 ** 53, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY, -Number.MAX_SAFE_INTEGER];
    for (const size of wrong) await expectRefusal({ size });
  });

  it('is created for users without an account, and refused for a deleted account', async () => {
    await core.files.create(upload({ user: 'somebody' }));
    core.world.owners.set('gone', 'deleted');
    const error = await rejectionOf(() => core.files.create(upload({ user: 'gone' })));
    expect(error).to.include({ kind: 'missing', code: 'user_not_found' });
    expect(await list('gone')).to.deep.equal([]);
  });

  it('is found only by its exact id', async () => {
    const { id } = await core.files.create(upload());
    for (const other of [
      '',
      'x',
      id.toUpperCase(),
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      `meta:${id}`,
      '__proto__',
    ]) {
      expect(await rejectionOf(() => core.files.read(other))).to.include({
        kind: 'missing',
        code: 'not_found',
      });
    }
  });
});
