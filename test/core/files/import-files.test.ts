import { expect } from 'chai';
import type { FilesPorts } from '../../../core/files/ports.ts';
import type { ImportOptions } from '../../../core/import-lines.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { NOW } from '../../contracts/samples.ts';
import { type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

const ID = '0190a1b2-0000-7000-8000-00000000000a';

describe('The import of files', () => {
  let core: FilesCore;
  let problems: (readonly [line: number, problem: string])[];

  beforeEach(() => {
    core = open();
    problems = [];
  });

  async function* linesOf(lines: readonly (string | undefined)[]) {
    yield* lines;
  }
  const run = (lines: readonly (string | undefined)[], options: Partial<ImportOptions> = {}, by = core) =>
    by.files.operate.importFiles(linesOf(lines), {
      dryRun: false,
      onBad: (line, problem) => problems.push([line, problem]),
      onProgress: () => {},
      ...options,
    });
  const line = (differences: object = {}) => JSON.stringify({ ...upload(), ...differences });
  const list = async (userId = 'user') => (await core.files.list({ userId, limit: 1_000 })).files;

  it('keeps ids and dates, and generates missing ones', async () => {
    const fields = [
      line({ id: ID, uploadedDate: '2020-02-29T12:00:00.123Z', thumb: false, size: 7 }),
      line({ uploadedDate: '2021-01-01' }),
      line({ id: null, uploadedDate: null }),
    ];
    expect(await run(fields)).to.deep.equal({ added: 3, skipped: 0, bad: 0 });
    expect((await list()).map(({ uploadedDate }) => uploadedDate)).to.deep.equal([
      new Date(NOW).toISOString(),
      '2021-01-01T00:00:00.000Z',
      '2020-02-29T12:00:00.123Z',
    ]);
    expect(JSON.parse(await core.files.read(ID))).to.deep.equal({
      id: ID,
      filenameEnc: 'bmFtZQ==',
      size: 7,
      mimeType: 'image/png',
      dekEnc: 'wrapped elsewhere',
      thumbs: { mobile: false, web: false, webPre: false },
      uploadedDate: '2020-02-29T12:00:00.123Z',
    });
    expect(core.log.lines).to.deep.equal([
      { level: 'info', event: 'operator.acted', fields: { reason: 'files.imported', count: 3 } },
    ]);
  });

  it('accepts times of any zone and ids in either case, and returns them in canonical form', async () => {
    await run([line({ id: ID.toUpperCase(), uploadedDate: '2020-06-01T02:00:00+02:00' })]);
    expect(await list()).to.have.length(1);
    expect((await list())[0]).to.include({ id: ID, uploadedDate: '2020-06-01T00:00:00.000Z' });
  });

  it('accepts the earliest and the latest possible time', async () => {
    const times = [new Date(NOW).toISOString(), '1970-01-01T00:00:00.000Z'];
    await run(times.map((uploadedDate) => line({ uploadedDate })));
    expect((await list()).map(({ uploadedDate }) => uploadedDate)).to.deep.equal(times);
  });

  it('reports each invalid line by number and problem, and imports the others', async () => {
    const future = new Date(NOW + 1).toISOString();
    const invalid: readonly (readonly [string | undefined, string])[] = [
      [undefined, 'UTF-8'],
      ['{', 'JSON object'],
      ['[]', 'JSON object'],
      ['null', 'JSON object'],
      ['7', 'JSON object'],
      [line({ filenameEnc: 7 }), "'filenameEnc' must be a string."],
      [line({ filenameEnc: '' }), "'filenameEnc'"],
      [line({ filenameEnc: '\ud800' }), "'filenameEnc' must be text without lone surrogates."],
      [line({ dekEnc: undefined }), "'dekEnc'"],
      [line({ user: ['a'] }), "'user'"],
      [line({ user: 'a'.repeat(129) }), "'user'"],
      [line({ mimeType: 'png' }), "'mimeType'"],
      [line({ size: '7' }), "'size' must be a number."],
      [line({ size: -1 }), "'size'"],
      [line({ size: 1.5 }), "'size'"],
      [line({ thumb: 'yes' }), "'thumb' must be true or false."],
      [line({ thumb: undefined }), "'thumb'"],
      [line({ id: 7 }), "'id'"],
      [line({ id: 'x' }), "'id' must be a UUID."],
      [line({ id: `${ID}0` }), "'id'"],
      [line({ uploadedDate: 7 }), "'uploadedDate'"],
      [line({ uploadedDate: 'yesterday' }), "'uploadedDate'"],
      [line({ uploadedDate: '2021-02-29' }), "'uploadedDate'"],
      ...['1969-12-31T23:59:59Z', future].map(
        (uploadedDate) =>
          [line({ uploadedDate }), "'uploadedDate' must be an ISO 8601 time from 1970 until now."] as const,
      ),
    ];
    const counts = await run([line(), '', '  ', ...invalid.map(([text]) => text), line()]);
    expect(counts).to.deep.equal({ added: 2, skipped: 0, bad: invalid.length });
    expect(problems.map(([number]) => number)).to.deep.equal(invalid.map((_, place) => place + 4));
    for (const [place, [, problem]] of problems.entries()) expect(problem).to.contain(invalid[place]?.[1]);
  });

  it('does not quote the content of an invalid line', async () => {
    await run(['{"dekEnc": "secret", oops', line({ dekEnc: 'secret'.repeat(999), id: 'secret' })]);
    expect(JSON.stringify([problems, core.log.lines])).to.not.contain('secret');
    expect(problems).to.have.length(2);
  });

  it('skips existing ids, so that an import can be repeated', async () => {
    const ids = Array.from(
      { length: 600 },
      (_, place) => ID.slice(0, -4) + place.toString(16).padStart(4, '0'),
    );
    const lines = ids.map((id) => line({ id }));
    expect(await run(lines.slice(0, 400))).to.include({ added: 400 });
    expect(await run(lines)).to.deep.equal({ added: 200, skipped: 400, bad: 0 });
    expect(await run([...lines, line({ id: ids[0], user: 'other' })])).to.deep.equal({
      added: 0,
      skipped: 601,
      bad: 0,
    });
    expect(await list('other')).to.deep.equal([]);
    expect(await core.files.operate.totals()).to.include({ files: 600 });
  });

  it('refuses a new file whose generated id already exists, and keeps the existing record', async () => {
    const change = ({ random }: FilesPorts) => ({
      random: { ...random, bytes: (length: number) => new Uint8Array(length) },
    });
    const existing = await open({ world: core.world, change }).files.create(upload());
    const { files } = open({ world: core.world, change });
    const error = await rejectionOf(() => files.create(upload({ size: 9 })));
    expect(error).to.have.property('message', 'A file with this new id exists already.');
    expect(JSON.parse(await core.files.read(existing.id))).to.include({ size: existing.size });
  });

  it('counts lines and writes nothing in a dry run', async () => {
    await run([line({ id: ID })]);
    core.world.owners.set('gone', 'deleted');
    core.log.lines.length = 0;
    const counts = await run([line({ id: ID }), line(), line(), line({ user: 'gone' }), 'x'], {
      dryRun: true,
    });
    expect(counts).to.deep.equal({ added: 2, skipped: 1, bad: 2 });
    expect(await core.files.operate.totals()).to.include({ files: 1 });
    expect(core.log.lines).to.deep.equal([]);
  });

  it('imports no file of an account that is deleted before or during the import', async () => {
    core.world.owners.set('gone', 'deleted').set('user', 'account');
    const deletingCore: FilesCore = open({
      world: core.world,
      change: ({ files }) => ({
        files: {
          ...files,
          add: async (file) => {
            core.world.owners.set('user', 'deleted');
            await core.files.deleteAllOf('user');
            return files.add(file);
          },
        },
      }),
    });
    expect(await run([line({ user: 'gone' }), line()], {}, deletingCore)).to.deep.equal({
      added: 0,
      skipped: 0,
      bad: 2,
    });
    const problem = "The account of 'user' was deleted.";
    expect(problems).to.deep.equal([
      [1, problem],
      [2, problem],
    ]);
    expect(await core.files.operate.totals()).to.include({ files: 0 });
  });
});
