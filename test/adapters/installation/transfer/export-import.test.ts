import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findEmbeddedStore, openForWork } from '../../../../adapters/choose-store.ts';
import { FORMAT } from '../../../../adapters/installation/transfer/export-format.ts';
import { exportStore } from '../../../../adapters/installation/transfer/export-store.ts';
import type { OpenedStore } from '../../../../adapters/store.ts';
import { SECTIONS, type Section, type TransferredRecords } from '../../../../adapters/transfer/sections.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { transferSamples } from '../../../contracts/transfer-samples.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { comparable, makeTransfer, withEmbeddedStore } from '../../../support/transferred-installation.ts';

const tools = { clock: { now: () => Date.now() }, log: makeRecordingLog() };

describe('The transfer of an installation', () => {
  const folder = useTempFolder();
  const moverOf = (name: string) => makeTransfer(folder(), { DATA_DIR: name });
  const file = () => join(folder(), 'house.jsonl');
  const text = () => readFileSync(file(), 'utf8');

  const withStore = <T>(name: string, use: (store: OpenedStore) => Promise<T>, parent = folder()) =>
    withEmbeddedStore(join(parent, name), use);
  /** Writes the samples into a store. */
  const fillStore = (name: string, parent = folder()) =>
    withStore(
      name,
      async ({ transfer }) => {
        const { sections } = transfer();
        const samples = transferSamples();
        const put = <Name extends Section>(section: Name) =>
          sections[section].write(samples[section] as readonly TransferredRecords[Name][], 0);
        for (const section of SECTIONS) await put(section);
      },
      parent,
    );
  const errorName = async (call: () => Promise<unknown>) =>
    Reflect.get((await rejectionOf(call)) as object, 'name');

  // Each test copies a closed store, since creating a store takes ten times as long.
  const template = useTempFolder('suite');
  before(() => {
    mkdirSync(join(template(), 'here'));
    return fillStore('here', template());
  });
  beforeEach(() => cpSync(join(template(), 'here'), join(folder(), 'here'), { recursive: true }));

  describe('by export', () => {
    it('writes one file for its owner only, lists the required keys and reports its progress', async () => {
      const shares: number[] = [];
      const sections = new Set<string>();
      const report = await moverOf('here').exportTo(file(), (share, section) => {
        shares.push(share);
        sections.add(section);
      });
      expect(statSync(file()).mode & 0o777).to.equal(0o600);
      expect(readdirSync(folder()).sort()).to.deep.equal(['here', 'house.jsonl']);
      const counts = Object.values(transferSamples()).map(({ length }) => length);
      expect(report.records).to.equal(counts.reduce((sum, count) => sum + count, 0));
      for (const path of ['keys/hash-key', 'sandbox-billing'])
        expect(report.keysNeeded.join()).to.include(join(folder(), 'here', path));
      expect(shares).to.deep.equal(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1)).to.equal(1);
      expect([...sections]).to.deep.equal([...SECTIONS]);
    });

    it('never overwrites a file', async () => {
      writeFileSync(file(), 'mine');
      expect(await errorName(() => moverOf('here').exportTo(file()))).to.equal('FileExists');
      expect(text()).to.equal('mine');
    });

    it('is refused while a server holds a lease, and leaves no file', async () => {
      await withStore('here', ({ ports }) => ports.leases.take('relay', 'a server', 60_000));
      expect(await errorName(() => moverOf('here').exportTo(file()))).to.equal('StoreAtWork');
      expect(readdirSync(folder())).to.deep.equal(['here']);
    });

    it('is refused at its end if a server used the store meanwhile', async () => {
      await withStore('here', async ({ transfer }) => {
        const heading = { product: 'gatehouse', format: FORMAT, origin: null, state: 'before' } as const;
        const details = { version: '1', madeAt: '2026-01-01T00:00:00.000Z', keysNeeded: [] };
        const store = { ...transfer(), state: async () => 'after' };
        const call = () =>
          exportStore({
            store,
            file: file(),
            heading: { ...heading, ...details },
            now: Date.now(),
            onProgress: () => undefined,
          });
        expect(await errorName(call)).to.equal('StoreAtWork');
      });
      expect(existsSync(file())).to.equal(false);
    });

    for (const [where, cut] of [
      ['in the middle of a line', (complete: string) => complete.slice(0, complete.length / 2)],
      ['in its first line', (complete: string) => complete.slice(0, 50)],
      ['before its first line was written', () => ''],
      [
        'between two lines',
        (complete: string) => complete.slice(0, complete.indexOf('\n', complete.length / 3) + 1),
      ],
      ['before the file was renamed', (complete: string) => complete],
    ] as const) {
      it(`resumes after it was interrupted ${where}`, async () => {
        await moverOf('here').exportTo(file());
        const complete = text();
        const otherFile = join(folder(), 'again.jsonl');
        writeFileSync(`${otherFile}.part`, cut(complete));
        const { sha256, records } = await moverOf('here').exportTo(otherFile);
        const again = readFileSync(otherFile, 'utf8');
        const linesOf = (all: string) => all.split('\n').slice(1, -2);
        expect(linesOf(again)).to.deep.equal(linesOf(complete));
        expect(JSON.parse(again.trimEnd().split('\n').at(-1) ?? '')).to.include({ sha256 });
        expect(records).to.equal(linesOf(complete).filter((line) => 'place' in JSON.parse(line)).length);
        expect(existsSync(`${otherFile}.part`)).to.equal(false);
        expect((await moverOf('there').importFrom(otherFile)).sha256).to.equal(sha256);
      });
    }

    it('starts over if the store was used after the interruption', async () => {
      await moverOf('here').exportTo(file());
      const old = text().slice(0, text().lastIndexOf('{"section":"tries","place"'));
      writeFileSync(`${file()}.2.part`, old);
      await withStore('here', async ({ ports }) => {
        await ports.leases.take('relay', 'a server', 1_000);
        await ports.accounts.add(sampleAccount('newcomer'));
        await ports.leases.release('relay', 'a server');
      });
      await moverOf('here').exportTo(`${file()}.2`);
      expect(readFileSync(`${file()}.2`, 'utf8')).to.include('newcomer@example.com');
    });

    it('does not resume from a file of another installation or from a changed file', async () => {
      await moverOf('here').exportTo(file());
      const complete = text();
      for (const [otherFile, name] of [
        ['something else\n', 'ForeignPart'],
        ['{"a":1}\n', 'ForeignPart'],
        [complete.replace('"origin":"value 1"', '"origin":"another"'), 'ForeignPart'],
        [complete.replace('plain@example.com', 'plane@example.com'), 'BrokenExport'],
      ] as const) {
        writeFileSync(`${file()}.2.part`, otherFile);
        expect(await errorName(() => moverOf('here').exportTo(`${file()}.2`))).to.equal(name);
        expect(readFileSync(`${file()}.2.part`, 'utf8')).to.equal(otherFile);
      }
    });

    it('is refused without a store, and creates none', async () => {
      expect(await errorName(() => moverOf('nowhere').exportTo(file()))).to.equal('NoStoreHere');
      expect(readdirSync(folder())).to.deep.equal(['here']);
    });
  });

  describe('by import', () => {
    beforeEach(() => moverOf('here').exportTo(file()));

    it('writes every record and reports its progress', async () => {
      const shares: number[] = [];
      await moverOf('there').importFrom(file(), (share) => shares.push(share));
      expect(shares).to.deep.equal(shares.toSorted((a, b) => a - b));
      const out = join(folder(), 'out.jsonl');
      await moverOf('there').exportTo(out);
      expect(comparable(out)).to.deep.equal(comparable(file()));
    });

    it('is refused if the store is not empty, or while a server uses it', async () => {
      await fillStore('here');
      expect(await errorName(() => moverOf('here').importFrom(file()))).to.equal('StoreNotFresh');
      mkdirSync(join(folder(), 'there'));
      await withStore('there', ({ ports }) => ports.leases.take('relay', 'a server', 60_000));
      expect(await errorName(() => moverOf('there').importFrom(file()))).to.equal('StoreAtWork');
    });

    it('is refused before the first write if any byte of the file was changed', async () => {
      const complete = readFileSync(file());
      const step = Math.max(1, Math.floor(complete.length / 60));
      for (let at = 0; at < complete.length; at += step) {
        const spoilt = Buffer.from(complete);
        spoilt[at] = (spoilt[at] ?? 0) ^ 1;
        writeFileSync(file(), spoilt);
        const refusal = await rejectionOf(() => moverOf('there').importFrom(file()));
        expect(refusal, `byte ${at}`).to.have.property('name', 'BrokenExport');
        expect(String(refusal)).to.match(/Line \d+ of .*house\.jsonl /);
      }
      expect(existsSync(join(folder(), 'there'))).to.equal(false);
    });

    it('reports the lines whose checksum does not match', async () => {
      writeFileSync(file(), text().replace('plain@example.com', 'plane@example.com'));
      const refusal = await rejectionOf(() => moverOf('there').importFrom(file()));
      expect(String(refusal)).to.include('Line 7 of ').and.include('the accounts, from line 2 on');
    });

    const linesWith = (change: (lines: string[]) => readonly string[]) =>
      `${change(text().trimEnd().split('\n')).join('\n')}\n`;
    const broken: Readonly<Record<string, () => string>> = {
      'is truncated': () => text().slice(0, -20),
      'lacks its end': () => linesWith((lines) => lines.slice(0, -1)),
      'lacks a line': () => linesWith((lines) => lines.toSpliced(3, 1)),
      'has two lines swapped': () =>
        linesWith(([head = '', first = '', second = '', ...rest]) => [head, second, first, ...rest]),
      'lacks the lines of a section': () =>
        linesWith((lines) => lines.filter((line) => !line.includes('"section":"accounts"'))),
      'has a line after its end': () => `${text()}{"lines":1,"sha256":"x"}\n`,
      'is of a later format': () => text().replace(`"format":${FORMAT}`, `"format":${FORMAT + 1}`),
      'is not an export': () => '{"email":"ada@example.com"}\n',
      'is empty': () => '',
    };
    for (const [label, spoil] of Object.entries(broken)) {
      it(`is refused and creates no store if the file ${label}`, async () => {
        writeFileSync(file(), spoil());
        expect(await errorName(() => moverOf('there').importFrom(file()))).to.equal('BrokenExport');
        expect(existsSync(join(folder(), 'there'))).to.equal(false);
      });
    }

    it('is refused with a hint if the file has an earlier format', async () => {
      writeFileSync(file(), text().replace(`"format":${FORMAT}`, `"format":${FORMAT - 1}`));
      const refusal = await rejectionOf(() => moverOf('there').importFrom(file()));
      expect(String(refusal)).to.include('import it with the version that wrote it');
    });

    it('is refused without a readable file', async () => {
      expect(await rejectionOf(() => moverOf('there').importFrom('missing.jsonl'))).to.have.property(
        'code',
        'ENOENT',
      );
      expect(await rejectionOf(() => moverOf('there').importFrom(folder()))).to.have.property(
        'code',
        'EISDIR',
      );
      expect(existsSync(join(folder(), 'there'))).to.equal(false);
    });

    it('is refused from a pipe and creates no store, since it reads the file twice', async () => {
      const pipe = join(folder(), 'pipe');
      execFileSync('mkfifo', [pipe]);
      // Fails if the import closes the pipe before everything is written.
      const written = writeFile(pipe, text()).catch(() => undefined);
      const refusal = await rejectionOf(() => moverOf('there').importFrom(pipe));
      await written;
      expect(refusal).to.have.property('code', 'ESPIPE');
      expect(existsSync(join(folder(), 'there'))).to.equal(false);
    });

    it('resumes only with its own file, and blocks other use of the store until it has ended', async () => {
      const complete = text();
      mkdirSync(join(folder(), 'there'));
      const unfinished = await withStore('there', async ({ transfer }) => {
        const store = transfer();
        await store.startImport({
          id: JSON.parse(complete.trimEnd().split('\n').at(-1) ?? '').sha256,
          lines: 0,
        });
        await store.sections.accounts.write(transferSamples().accounts, 0);
        return store.unfinishedImport();
      });
      expect(unfinished?.lines).to.equal(0);

      const place = findEmbeddedStore(join(folder(), 'there'), { ...tools, isServer: false });
      const refusal = await rejectionOf(() => openForWork(place));
      await place.close();
      expect(String(refusal)).to.include('run store import with its file again');
      expect(await errorName(() => moverOf('there').exportTo(`${file()}.2`))).to.equal('StoreUnusable');

      const otherFile = join(folder(), 'other.jsonl');
      await withStore('here', ({ ports }) => ports.accounts.add(sampleAccount('newcomer')));
      await moverOf('here').exportTo(otherFile);
      expect(await errorName(() => moverOf('there').importFrom(otherFile))).to.equal('OtherImportUnfinished');

      await moverOf('there').importFrom(file());
      await moverOf('there').exportTo(`${file()}.2`);
      expect(comparable(`${file()}.2`)).to.deep.equal(comparable(file()));
    });
  });
});
