import { expect } from 'chai';
import type { Flow, FlowStep, FlowStore } from '../../core/accounts/store-ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { sampleFlow, sampleStep } from './samples.ts';

// The current time: a store may delete flows by its own clock once `keptUntil` has passed.
const NOW = Date.now();
const END = NOW + 60_000;
const KEPT_UNTIL = NOW + 600_000;

const sample = (id: string, differences: Partial<Flow> = {}) => sampleFlow(id, differences, NOW);
const takeStep = (id: string, differences: Partial<FlowStep> = {}) => sampleStep(id, differences, NOW);

export const flowStoreContract = (name: string, open: () => Promise<Opened<FlowStore>>): void => {
  describe(`${name} as a flow store`, () => {
    const store = storeForEachTest(open);

    it('finds a flow with all its members by its exact id until it expires', async () => {
      const spent = sample('b', { stage: 'spent', codeDigest: null, content: null });
      for (const flow of [sample('a'), spent]) {
        expect(await store.add(flow)).to.equal(true);
        expect(await store.find(flow.id, NOW)).to.deep.equal(flow);
      }
      expect(await store.find('a', END - 1)).to.deep.equal(sample('a'));
      for (const now of [END, END + 1, KEPT_UNTIL]) expect(await store.find('a', now)).to.equal(undefined);
      for (const id of ['', 'A', 'c']) expect(await store.find(id, NOW)).to.equal(undefined);
    });

    it('refuses a second flow with the same id, even after the first has expired', async () => {
      await store.add(sample('a', { expiresAt: NOW - 1 }));
      await store.add(sample('b'));
      expect(await store.add(sample('a', { content: 'another' }))).to.equal(false);
      expect(await store.add(sample('b', { content: 'another' }))).to.equal(false);
      expect(await store.find('a', NOW)).to.equal(undefined);
      expect(await store.find('b', NOW)).to.deep.equal(sample('b'));
    });

    it('moves a flow to the next stage and keeps its content', async () => {
      await store.add(sample('a'));
      await store.add(sample('b'));
      const taken = sample('a', { stage: 'taken', expiresAt: END + 1_000 });
      expect(await store.step(takeStep('a'), NOW)).to.equal(true);
      expect(await store.find('a', END + 999)).to.deep.equal(taken);
      expect(await store.find('b', NOW)).to.deep.equal(sample('b'));
      const spendStep = { id: 'a', from: 'taken', to: 'spent', expiresAt: NOW } as const;
      expect(await store.step(spendStep, NOW)).to.equal(true);
      expect(await store.find('a', NOW)).to.equal(undefined);
      expect(await store.add(sample('a'))).to.equal(false);
    });

    it('refuses a step from another stage, with another code, after expiry or of no flow', async () => {
      await store.add(sample('a'));
      await store.add(sample('without', { codeDigest: null }));
      for (const [step, now] of [
        [takeStep('a', { from: 'taken', to: 'spent' }), NOW],
        [takeStep('a', { codeDigest: 'digest of another' }), NOW],
        [takeStep('a', { codeDigest: '' }), NOW],
        [takeStep('a'), END],
        [takeStep('without'), NOW],
        [takeStep('c'), NOW],
      ] as const) {
        expect(await store.step(step, now)).to.equal(false);
      }
      expect(await store.find('a', NOW)).to.deep.equal(sample('a'));
      expect(await store.find('c', NOW)).to.equal(undefined);
    });

    it('lets exactly one of 50 concurrent additions or equal steps of a flow succeed', () =>
      inRounds(async (round) => {
        const id = `round ${round}`;
        const added = await race(50, (place) => store.add(sample(id, { content: `sealed ${place}` })));
        expect(added.filter(Boolean)).to.have.length(1);
        const taken = await race(50, () => store.step(takeStep(id), NOW));
        expect(taken.filter(Boolean)).to.have.length(1);
        expect((await store.find(id, NOW))?.content).to.equal(`sealed ${added.indexOf(true)}`);
        const later = await race(50, () =>
          store.step({ id, from: 'taken', to: 'spent', expiresAt: END }, NOW),
        );
        expect(later.filter(Boolean)).to.have.length(1);
      }));

    it('counts flows and sweeps those whose retention has ended, oldest first', async () => {
      for (const [id, keptUntil] of Object.entries({ a: NOW - 30, b: NOW - 10, c: NOW - 20, d: NOW + 1 }))
        await store.add(sample(id, { keptUntil }));
      expect(await store.count()).to.equal(4);
      expect(await store.sweep(NOW - 31, 10)).to.equal(0);
      expect(await store.sweep(NOW, 2)).to.equal(2);
      expect(await store.count()).to.equal(2);
      expect(await store.find('b', NOW)).to.deep.equal(sample('b', { keptUntil: NOW - 10 }));
      expect(await store.sweep(NOW, 10)).to.equal(1);
      for (const id of ['a', 'b', 'c']) expect(await store.add(sample(id))).to.equal(true);
      expect(await store.add(sample('d'))).to.equal(false);
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add(sample('a'));
      await refusesNonText((value) => store.find(value, NOW));
      await refusesNonText((value) => store.add(sample(value)));
      await refusesNonText((value) => store.step(takeStep(value), NOW));
      await refusesNonNumbers((value) => store.find('a', value));
      await refusesNonNumbers((value) => store.add(sample('b', { expiresAt: value })));
      await refusesNonNumbers((value) => store.add(sample('b', { keptUntil: value })));
      await refusesNonNumbers((value) => store.step(takeStep('a', { expiresAt: value }), NOW));
      await refusesNonNumbers((value) => store.step(takeStep('a'), value));
      await refusesNonNumbers((value) => store.sweep(value, 1));
      await refusesNonNumbers((value) => store.sweep(NOW, value));
      // `null` is valid: it means that the step needs no code.
      for (const value of JSON.parse('[{"$ne": ""}, ["a"], true, 7]')) {
        const error = await store.step(takeStep('a', { codeDigest: value }), NOW).catch((reason) => reason);
        expect(error).to.be.instanceOf(TypeError);
      }
      expect(await store.find('a', NOW)).to.deep.equal(sample('a'));
      expect(await store.find('b', NOW)).to.equal(undefined);
    });
  });
};
