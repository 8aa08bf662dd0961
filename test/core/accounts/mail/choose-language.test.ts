import { expect } from 'chai';
import { chooseLanguage } from '../../../../core/accounts/mail/languages.ts';

const POLISH = [
  'pl',
  'PL',
  'pl-PL,pl;q=0.9,en-US;q=0.8,en;q=0.7',
  'pl, en',
  ' pl ; q=0.9 , en ; q=0.8 ',
  'en;q=0.5,pl',
  'en;Q=0.1, pl;Q=0.123',
  'qaa, pl;q=0.001',
  'en;q=0, *',
  'en;q=0.5, *',
  'pl;q=1.000, en;q=0.999',
  'pl-PL;q=0.9, pl;q=0.1, en;q=0.5',
];

const ENGLISH = [
  null,
  '',
  ',,;;,',
  '*',
  'en',
  'qaa',
  'en-GB,en;q=0.9,pl;q=0.8',
  'en, pl',
  'pl;q=0',
  'pl;q=0, *',
  'qaa, *;q=0.1',
  'pl;q=2, en;q=0.1',
  'pl;q=0.1234, en;q=0.001',
  'pl;q=, en;q=0.1',
  'polish, en;q=0.1',
  'plx',
];

describe('The language of a mail', () => {
  for (const header of POLISH) {
    it(`is Polish for ${JSON.stringify(header)}`, () => expect(chooseLanguage(header)).to.equal('pl'));
  }
  for (const header of ENGLISH) {
    it(`is English for ${JSON.stringify(header)}`, () => expect(chooseLanguage(header)).to.equal('en'));
  }

  it('is chosen in linear time for a hostile header', () => {
    const hostilePieces = ['pl;q=', ' ', ';', ',', 'pl-', 'q=0.', '\t', 'en;q=1,'];
    /** Processor time in milliseconds, which the load of other processes does not change. */
    const cpuTimeMs = (length: number): number => {
      const headers = hostilePieces.map((piece) => piece.repeat(length / piece.length));
      const startedAt = process.cpuUsage();
      for (const header of headers) chooseLanguage(header);
      return process.cpuUsage(startedAt).user / 1_000;
    };
    const shortMs = cpuTimeMs(50_000);
    // Eight times the length: linear time grows eightfold, quadratic time 64-fold.
    expect(cpuTimeMs(400_000) / Math.max(shortMs, 5)).to.be.below(32);
  });
});
