import { expect } from 'chai';
import {
  aroundMethods,
  outcomeOf,
  outcomeOfDelivery,
  whenEnded,
  withMethods,
} from '../../../adapters/calls/around-methods.ts';
import { traceHeaders, withTraceHeaders } from '../../../adapters/calls/trace-headers.ts';
import { unavailable } from '../../../core/errors.ts';

class Counter {
  #count = 0;
  readonly name = 'counter';
  async add(amount: number): Promise<number> {
    this.#count += amount;
    return this.#count;
  }
  get count() {
    return this.#count;
  }
}

describe('An object with wrapped methods', () => {
  const calls: string[] = [];
  const wrap = <T extends object>(target: T): T =>
    aroundMethods(target, (method, args, call) => {
      calls.push(`${method}(${args.join()})`);
      return call();
    });
  beforeEach(() => calls.splice(0));

  it('behaves like the original instance of a class', async () => {
    const counter = wrap(new Counter());
    expect([await counter.add(2), await counter.add(3), counter.count, counter.name]).to.deep.equal([
      2,
      5,
      5,
      'counter',
    ]);
    expect(calls).to.deep.equal(['add(2)', 'add(3)']);
    expect(counter).to.be.instanceOf(Counter);
  });

  it('may be frozen and destructured', () => {
    const target = wrap(Object.freeze({ double: (value: number) => value * 2, one: 1 }));
    const { double } = { ...target };
    expect([double(4), target.one]).to.deep.equal([8, 1]);
    expect(calls).to.deep.equal(['double(4)']);
  });

  it('keeps its other members on the original object if a method is replaced', async () => {
    const counter = new Counter();
    const replaced = withMethods(counter, { add: (amount) => counter.add(amount * 10) });
    expect([await replaced.add(2), replaced.count, replaced.name]).to.deep.equal([20, 20, 'counter']);
    expect(counter.count).to.equal(20);
  });
});

describe('The end of a call', () => {
  const ended = (result: unknown) => new Promise((resolve) => whenEnded(result, resolve));

  it('is reported when the promise settles, or at once for a plain value', async () => {
    expect(await ended(Promise.resolve(1))).to.deep.equal({ value: 1 });
    expect(await ended(Promise.reject(new Error('no')))).to.have.property('error');
    expect(await ended(2)).to.deep.equal({ value: 2 });
  });

  it('maps to one of a few outcome words', () => {
    expect(outcomeOf({ value: 1 })).to.equal('ok');
    expect(outcomeOf({ error: unavailable('store_unavailable', 'Down.') })).to.equal('unavailable');
    expect(outcomeOf({ error: new TypeError('a secret') })).to.equal('error');
    expect(outcomeOf({ value: { outcome: 'again' } }, outcomeOfDelivery)).to.equal('again');
    expect(outcomeOf({ value: undefined }, outcomeOfDelivery)).to.equal('ok');
  });
});

describe('Trace headers', () => {
  it('belong to their own call if several calls run at once', async () => {
    const call = async (id: string) => {
      await Promise.resolve();
      return `${id}:${traceHeaders().traceparent}`;
    };
    const results = ['a', 'b'].map((id) => withTraceHeaders({ traceparent: id }, () => call(id)));
    expect(await Promise.all(results)).to.deep.equal(['a:a', 'b:b']);
    expect(traceHeaders()).to.deep.equal({});
  });
});
